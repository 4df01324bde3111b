// Move the view and the keyboard focus to an element that has just appeared.

export function moveTo(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
}
