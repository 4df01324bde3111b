// A place in a lesson in the app that a click leads to: the start of a step or of a lesson takes view and focus once;
// the end of an answer comes into view.

import { moveTo, reveal } from "./move_to.js";

const taken = new Set(); // requests that have been fulfilled
const ACTIONS = ["wheel", "touchmove", "pointerdown", "keydown"];

export default function ({ data, parentElement }) {
  const mark = parentElement.querySelector(".step-start") ?? parentElement.appendChild(document.createElement("div"));
  mark.className = "step-start";
  if (data.kind === "step") {
    mark.setAttribute("role", "group");
    mark.setAttribute("aria-label", data.label);
  }
  if (taken.has(data.request)) return;
  taken.add(data.request);
  const main = mark.closest("[data-testid=stMain]"), heading = main?.querySelector("h1") ?? mark;
  if (data.kind === "end") return keepInView(mark, () => reveal(mark));
  if (data.kind === "step") moveTo(mark);
  else moveTo(heading);
  keepInView(mark, () => (data.kind === "step" ? mark.scrollIntoView({ block: "start" }) : main?.scrollTo(0, 0)));
}

// Scroll to the mark again while the page grows, until it is at the top or the user acts.
function keepInView(mark, scroll) {
  const leaving = new AbortController(), room = parseFloat(getComputedStyle(mark).scrollMarginTop);
  const growth = new ResizeObserver(() => {
    scroll();
    if (!mark.isConnected || mark.getBoundingClientRect().top <= room + 1) leaving.abort();
  });
  leaving.signal.addEventListener("abort", () => growth.disconnect());
  for (const action of ACTIONS) document.addEventListener(action, () => leaving.abort(), { signal: leaving.signal, capture: true });
  growth.observe(mark.closest("[data-testid=stMainBlockContainer]") ?? document.body);
}
