// The start of a step of a lesson in the app. It takes view and focus once, when the step was opened by a click.

import { moveTo } from "./move_to.js";

const taken = new Set(); // requests that have been fulfilled
const ACTIONS = ["wheel", "touchmove", "pointerdown", "keydown"];

export default function ({ data, parentElement }) {
  const mark = parentElement.querySelector(".step-start") ?? parentElement.appendChild(document.createElement("div"));
  mark.className = "step-start";
  mark.setAttribute("role", "group");
  mark.setAttribute("aria-label", data.label);
  if (taken.has(data.request)) return;
  taken.add(data.request);
  moveTo(mark);
  keepInView(mark);
}

// Scroll to the mark again while the page below it grows, until it is at the top or the user acts.
function keepInView(mark) {
  const leaving = new AbortController(), room = parseFloat(getComputedStyle(mark).scrollMarginTop);
  const growth = new ResizeObserver(() => {
    mark.scrollIntoView({ block: "start" });
    if (!mark.isConnected || mark.getBoundingClientRect().top <= room + 1) leaving.abort();
  });
  leaving.signal.addEventListener("abort", () => growth.disconnect());
  for (const action of ACTIONS) document.addEventListener(action, () => leaving.abort(), { signal: leaving.signal, capture: true });
  growth.observe(mark.closest("[data-testid=stMainBlockContainer]") ?? document.body);
}
