// Move the view and the keyboard focus to an element that has just appeared.

// Bring an element into view by the shortest way.
export function reveal(element) {
  element.scrollIntoView({ block: "nearest" });
}

export function moveTo(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
}
