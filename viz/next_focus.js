// The element that a click has opened on a page takes the keyboard focus, which would else be lost.

const taken = new Set(); // requests that have been fulfilled
const ACTIONS = ["wheel", "touchmove", "pointerdown", "keydown"];

export default function ({ data, parentElement }) {
  if (taken.has(data.request)) return;
  taken.add(data.request);
  const page = parentElement.closest("[data-testid=stMain]") ?? document.body;
  const leaving = new AbortController();
  const look = () => {
    const found = page.querySelector(data.target);
    if (!found) return;
    leaving.abort();
    if (!found.matches("button, input")) found.tabIndex = -1;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "nearest" });
  };
  const growth = new MutationObserver(look);
  leaving.signal.addEventListener("abort", () => growth.disconnect());
  for (const action of ACTIONS) document.addEventListener(action, () => leaving.abort(), { signal: leaving.signal, capture: true });
  growth.observe(page, { childList: true, subtree: true });
  look();
}
