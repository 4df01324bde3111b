// Tooltip of a term: its definition, its picture and a link to its lesson.

const GAP = 6, EDGE = 8, LINGER_MS = 250; // pixels; milliseconds until it closes after the pointer has left

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The SVG comes from the project itself and contains no user text.
export function pictureOf({ picture }) {
  const drawn = element("div", { class: "words-picture" });
  drawn.innerHTML = picture;
  return picture ? [drawn] : [];
}

export function lessonLink({ address, lesson }, say) {
  const link = element("a", { href: address, target: "_blank", rel: "noopener" });
  link.textContent = say["to the lesson"].replace("{title}", lesson);
  return address ? [link] : [];
}

export class Tip {
  constructor(parent) {
    this.box = element("div", { class: "words-tip", popover: "manual" });
    this.box.addEventListener("pointerenter", () => clearTimeout(this.going));
    this.box.addEventListener("pointerleave", () => this.leave());
    parent.append(this.box);
  }

  show(name, term, say, around) {
    clearTimeout(this.going);
    const text = element("p", {}, element("b", {}, name), ` ${term.definition}`);
    this.box.replaceChildren(text, ...pictureOf(term), ...lessonLink(term, say));
    this.box.showPopover();
    this.place(around);
  }

  // Place the tooltip below the word, or above it if space is missing; always inside the window.
  place(around) {
    const { width, height } = this.box.getBoundingClientRect();
    const below = around.bottom + GAP + height <= innerHeight - EDGE;
    const left = Math.max(EDGE, Math.min(around.left, innerWidth - width - EDGE));
    this.box.style.left = `${left}px`;
    this.box.style.top = `${below ? around.bottom + GAP : Math.max(EDGE, around.top - GAP - height)}px`;
  }

  leave() {
    clearTimeout(this.going);
    this.going = setTimeout(() => this.hide(), LINGER_MS);
  }

  hide() {
    clearTimeout(this.going);
    if (this.box.matches(":popover-open")) this.box.hidePopover();
  }
}
