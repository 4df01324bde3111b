// Height of the graph with its slider: the rest of the first screen, or the full screen.

import { button, setIcon } from "./elements.js";
import { inWords } from "./translation.js";

const MIN_HEIGHT = 380; // minimum height in pixels; with less space left, the component gets a whole screen
const NARROW = 560; // width in pixels up to which the sentence needs more lines and MIN_NARROW_HEIGHT applies
const MIN_NARROW_HEIGHT = 440;
const MIN_STILL_HEIGHT = 300; // minimum height in pixels of a graph without a slider, for any width
const MARGIN = 10; // pixels below the slider
const MAP_HEIGHT = 170; // pixels added by the open survival map
const SHEET = 150; // pixels below the graph from which an explanation lies there, not only the next buttons
const MAX_LEGIBLE = 50; // maximum number of nodes whose names get a whole screen if they need it
const MENU = 64; // height of the page's menu in pixels, which stays on top

// Return the height of the component from its top on the page, the height of the visible page, and its own width.
// A graph that is `still` has no slider; above an open explanation (`sheet`) a narrow one may be as low as a wide one.
export function heightFor(top, screen, width, still = false, sheet = false) {
  const least = still ? MIN_STILL_HEIGHT : width > NARROW || sheet ? MIN_HEIGHT : MIN_NARROW_HEIGHT;
  const left = screen - top - MARGIN;
  return Math.round(left >= least ? left : Math.max(least, screen - 2 * MARGIN));
}

// Return the scroll container around an element, even across shadow roots.
function scrollerOf(element) {
  for (let e = element; e; e = e.parentElement ?? e.getRootNode().host) {
    if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
  }
  return document.scrollingElement;
}

export const Sizing = {
  watchSize(parent) {
    this.page = (parent.getRootNode().host ?? parent).closest(".stMainBlockContainer") ?? document.body;
    this.rooms = new ResizeObserver(() => this.fitHeight());
    this.rooms.observe(this.page);
    this.rooms.observe(this.scrubber);
    this.onWindow = () => {
      this.windowChanges = true; // until the world has settled
      this.settleWorld();
      this.fitHeight();
    };
    this.settleWorld();
    this.onFull = () => this.showFull(document.fullscreenElement != null && this.root.matches(":fullscreen"));
    window.addEventListener("resize", this.onWindow);
    document.addEventListener("fullscreenchange", this.onFull);
  },

  stopWatchingSize() {
    clearTimeout(this.settling);
    this.settling = null;
    this.rooms.disconnect();
    window.removeEventListener("resize", this.onWindow);
    document.removeEventListener("fullscreenchange", this.onFull);
  },

  // Apply the height set by the page, or fill the first screen. Small differences are ignored.
  fitHeight() {
    if (!this.root.isConnected) return;
    if (this.full) return void this.reserveScrubber();
    let height = this.given, grown;
    if (height == null) {
      const scroller = scrollerOf(this.page), whole = scroller === document.scrollingElement;
      const top = this.root.getBoundingClientRect().top + scroller.scrollTop
        - (whole ? 0 : scroller.getBoundingClientRect().top);
      // Height in pixels of the part of the content below that stays visible.
      const peep = parseFloat(getComputedStyle(this.root).getPropertyValue("--peep")) || 0;
      const sheet = peep > SHEET, hidden = sheet ? MENU : 0, screen = scroller.clientHeight - peep - hidden;
      this.root.classList.toggle("above-sheet", sheet);
      grown = this.reserveScrubber(sheet);
      height = heightFor(top - hidden, screen, this.root.clientWidth, this.scrubber.hidden, sheet);
      if (!this.isLegibleAt(height + grown)) height = Math.max(height, Math.round(screen - 2 * MARGIN));
      // An explanation that has just opened over the graph must not cover the edge that was clicked.
      if (sheet && !this.sheet && top + height > hidden + screen) scroller.scrollTo({ top: top - MENU });
      this.sheet = sheet;
    }
    if (this.map.open && !this.map.hidden) height += MAP_HEIGHT; // otherwise the graph would shrink
    height += grown ?? this.reserveScrubber();
    if (Math.abs(height - (this.taken ?? 0)) < 2) return;
    this.taken = height;
    this.root.style.height = `${height}px`;
  },

  // Keep the largest height of the slider's part, and return by how many pixels it has grown since this layout began. The
  // component grows with it, so that the graph keeps its scale when a step or another slider mode needs more lines.
  reserveScrubber(sheet = false) {
    if (!this.graph) return 0;
    const layout = [this.root.clientWidth, !!this.full, this.scrubber.hidden, sheet].join(" ");
    const open = this.map.open && !this.map.hidden, was = this.reserved;
    if (was?.layout !== layout || was.open !== open) {
      this.scrubber.style.minHeight = "";
      // The survival map adds its own height, so what the part has grown without it still counts.
      this.reserved = { layout, open, most: 0, earlier: was?.layout === layout ? was.earlier + was.most - was.first : 0 };
    }
    const { reserved } = this, high = this.scrubberHeight();
    if (high > reserved.most) this.scrubber.style.minHeight = `${(reserved.most = high)}px`;
    // While a resized window takes its size, the parts have not all been measured.
    if (this.windowChanges || reserved.first == null) reserved.first = reserved.most;
    return reserved.earlier + reserved.most - reserved.first;
  },

  // Return the height of the slider's part in pixels, with the longest values of the run.
  scrubberHeight() {
    const shown = this.readouts.textContent;
    this.readouts.textContent = this.longestReadouts;
    const high = this.scrubber.offsetHeight;
    this.readouts.textContent = shown;
    return high;
  },

  // Return true if the graph has space for all names at a height in pixels, or is too large for that at any height.
  isLegibleAt(height) {
    const { nodes } = this.graph ?? {};
    if (!nodes || nodes.length > MAX_LEGIBLE || !this.svg.clientWidth) return true;
    const asked = JSON.stringify([height, this.root.clientWidth, innerWidth, nodes]);
    if (this.legible?.asked !== asked) {
      const before = this.root.style.height;
      this.root.style.height = `${height}px`;
      this.legible = { asked, answer: this.chooseWorld().pills };
      this.root.style.height = before;
    }
    return this.legible.answer;
  },

  fullButton() {
    this.fullscreen = button("", "Full screen (key F)", () => this.toggleFull());
    this.showFull(false);
    return this.fullscreen;
  },

  // If a frame or phone refuses full screen, let the component fill the window.
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
    this.fullscreen.title = inWords(on ? "Leave full screen (Esc)" : "Full screen (key F)");
    this.fullscreen.setAttribute("aria-label", this.fullscreen.title);
    if (was != null && was !== on) this.announce(inWords(on ? "full screen" : "full screen left"));
  },
};
