// How much of the screen the graph and its slider take: what the page leaves of the first screen, or all of it.

import { button, setIcon } from "./elements.js";

const LEAST = 380; // pixels of picture and slider; where less is left below what stands above, a screen of their own
const NARROW = 560; // pixels of width, up to which the words below the picture take more lines, and LEAST is more
const LEAST_NARROW = 480;
const MARGIN = 10; // pixels below the slider
const MAP_HEIGHT = 170; // pixels of the survival map, once it is unfolded

// The height of the component, from where its top lies on the page, how high the part of the page in sight is, and how
// wide the component.
export function roomFor(top, screen, width) {
  const left = screen - top - MARGIN, least = width > NARROW ? LEAST : LEAST_NARROW;
  return Math.round(left >= least ? left : Math.max(least, screen - 2 * MARGIN));
}

// The element that scrolls the page around another one, also out of a shadow tree.
function scrollerOf(element) {
  for (let e = element; e; e = e.parentElement ?? e.getRootNode().host) {
    if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
  }
  return document.scrollingElement;
}

export const Room = {
  watchRoom(parent) {
    this.page = (parent.getRootNode().host ?? parent).closest(".stMainBlockContainer") ?? document.body;
    this.rooms = new ResizeObserver(() => this.takeRoom());
    this.rooms.observe(this.page);
    this.onWindow = () => this.takeRoom();
    this.onFull = () => this.showFull(document.fullscreenElement != null && this.root.matches(":fullscreen"));
    window.addEventListener("resize", this.onWindow);
    document.addEventListener("fullscreenchange", this.onFull);
  },

  leaveRoom() {
    this.rooms.disconnect();
    window.removeEventListener("resize", this.onWindow);
    document.removeEventListener("fullscreenchange", this.onFull);
  },

  // A height that the page gave stands; else the first screen is filled. Nothing changes where nothing moved.
  takeRoom() {
    if (this.full || !this.root.isConnected) return;
    let height = this.given;
    if (height == null) {
      const scroller = scrollerOf(this.page), whole = scroller === document.scrollingElement;
      const top = this.root.getBoundingClientRect().top + scroller.scrollTop
        - (whole ? 0 : scroller.getBoundingClientRect().top);
      // What the page wants to peep out below, in pixels.
      const peep = parseFloat(getComputedStyle(this.root).getPropertyValue("--peep")) || 0;
      height = roomFor(top, scroller.clientHeight - peep, this.root.clientWidth);
    }
    if (this.map.open && !this.map.hidden) height += MAP_HEIGHT; // or the picture would shrink
    if (Math.abs(height - (this.taken ?? 0)) < 2) return;
    this.taken = height;
    this.root.style.height = `${height}px`;
  },

  fullButton() {
    this.fullscreen = button("", "full screen (key F)", () => this.toggleFull());
    this.showFull(false);
    return this.fullscreen;
  },

  // Where the browser refuses the whole screen (inside some frames, on some phones), its whole window.
  async toggleFull(on = !this.full) {
    if (on === !!this.full) return;
    if (on) {
      try {
        await this.root.requestFullscreen();
      } catch {
        this.root.popover = "manual";
        this.root.showPopover();
        this.showFull(true);
      }
    } else if (this.root.matches(":fullscreen")) await document.exitFullscreen();
    else {
      this.root.removeAttribute("popover");
      this.showFull(false);
    }
  },

  showFull(on) {
    const was = this.full;
    this.full = on;
    this.root.classList.toggle("full", on);
    this.root.style.height = on ? "100%" : `${this.taken}px`;
    setIcon(this.fullscreen, on ? "leave" : "full", on ? "Leave" : "");
    this.fullscreen.title = on ? "leave the full screen (Esc)" : "full screen (key F)";
    this.fullscreen.setAttribute("aria-label", this.fullscreen.title);
    if (was != null && was !== on) this.announce(on ? "full screen" : "full screen left");
  },
};
