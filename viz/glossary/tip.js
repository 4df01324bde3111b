// The tip: a term's sentence, its picture, and the way to its lesson, beside the word that is pointed at.

const GAP = 6, EDGE = 8, LINGER_MS = 250; // pixels, and how long it waits for the pointer to come over

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The pictures are the project's own: nothing that a user wrote is in them.
export function pictureOf({ picture }) {
  const drawn = element("div", { class: "words-picture" });
  drawn.innerHTML = picture;
  return picture ? [drawn] : [];
}

export function wayToLesson({ address, lesson }, say) {
  const link = element("a", { href: address, target: "_blank", rel: "noopener" });
  link.textContent = say["to the lesson"].replace("{title}", lesson);
  return link;
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
    const told = element("p", {}, element("b", {}, name), ` ${term.told}`);
    this.box.replaceChildren(told, ...pictureOf(term), wayToLesson(term, say));
    this.box.showPopover();
    this.stand(around);
  }

  // Below the word, or above it where there is no room; within the window.
  stand(around) {
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
