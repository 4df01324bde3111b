// Helpers that create elements and read them.

import { inWords } from "./translation.js";

export const SVG = "http://www.w3.org/2000/svg";
export const ICONS = {
  back: "M11 3L5 8l6 5zM3 3h1.6v10H3z", next: "M5 3l6 5-6 5zM11.4 3H13v10h-1.6z", play: "M4.5 2.5l8.5 5.5-8.5 5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z", pin: "M6 2h4l-.6 5 2.6 2v1.2H8.7L8 15l-.7-4.8H4V9l2.6-2z",
  choice: "M7.3 1h1.4v2.1a5 5 0 0 1 4.2 4.2H15v1.4h-2.1a5 5 0 0 1-4.2 4.2V15H7.3v-2.1a5 5 0 0 1-4.2-4.2H1V7.3h2.1a5 "
    + "5 0 0 1 4.2-4.2zM8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  full: "M2 2h5v1.6H3.6V7H2zm7 0h5v5h-1.6V3.6H9zM2 9h1.6v3.4H7V14H2zm10.4 0H14v5H9v-1.6h3.4z",
  leave: "M5.4 2H7v5H2V5.4h3.4zM9 2h1.6v3.4H14V7H9zM2 9h5v5H5.4v-3.4H2zm7 0h5v1.6h-3.4V14H9z",
  lock: "M-4-1h1.2v-2.2a2.8 2.8 0 0 1 5.6 0V-1H4v6h-8zm2.8 0h2.4v-2.2a1.2 1.2 0 0 0-2.4 0z",
};

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function html(tag, attributes = {}, ...children) {
  return make(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}

export function button(text, name, action, icon) {
  const named = inWords(name), b = html("button", { type: "button", title: named, "aria-label": named });
  b.addEventListener("click", action);
  if (icon) setIcon(b, icon, text);
  else b.textContent = inWords(text);
  return b;
}

export function setIcon(b, icon, text) {
  b.replaceChildren(svg("svg", { class: "icon", viewBox: "0 0 16 16" }, svg("path", { d: ICONS[icon] })),
    html("span", { class: "word" }, inWords(text)));
}

export function itemOf(element) {
  return element.closest?.(".edge, .node")?.item;
}

// Call `work` when the browser is idle. Safari has no idle callbacks and gets a short timeout.
export function whenIdle(work) {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(() => work({ timeRemaining: () => 0 }), 20);
    return { cancel: () => clearTimeout(timer) };
  }
  const ticket = requestIdleCallback(work);
  return { cancel: () => cancelIdleCallback(ticket) };
}

export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
