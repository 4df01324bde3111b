// A replay in a cell of a notebook, for anywidget: the file in a frame, whose state the model shares with Python.

const CONNECT = "edgewise-replay"; // the word that the file waits for, see host.js

// Return "dark" or "light", by the first background behind an element that is not transparent.
export function themeBehind(element) {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = getComputedStyle(at).backgroundColor;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, opacity] = pixel.getImageData(0, 0, 1, 1).data;
    if (opacity > 127) return 0.3 * red + 0.59 * green + 0.11 * blue < 128 ? "dark" : "light";
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

// Return the state as text, whatever the order of its keys.
export function stateText({ view, step, selected }) {
  return JSON.stringify([view, step, selected]);
}

function render({ model, el }) {
  const frame = document.createElement("iframe");
  let port = null, known = null, theme = null;
  frame.title = "Replay of a run";
  frame.sandbox = "allow-scripts allow-downloads"; // no origin: the file can read nothing of the notebook
  frame.style.cssText = "width: 100%; border: 0; display: block";
  const tell = (message) => port?.postMessage(message);
  const size = () => { frame.style.height = `${model.get("height")}px`; };
  const follow = () => {
    const state = model.get("state");
    if (stateText(state) === known) return;
    known = stateText(state); // also if a click undoes it before the file has reported it
    tell(state);
  };
  const recolour = () => {
    if (theme !== (theme = themeBehind(el))) tell({ theme });
  };
  // A frame loads again after a move in the document; then it gets the state of the model.
  frame.addEventListener("load", () => {
    const { port1, port2 } = new MessageChannel();
    [port, known, theme] = [port1, null, themeBehind(el)];
    port.onmessage = ({ data }) => {
      known = stateText(data);
      if (known === stateText(model.get("state"))) return;
      model.set("state", data);
      model.save_changes();
    };
    frame.contentWindow.postMessage(CONNECT, "*", [port2]);
    tell({ ...model.get("state"), theme });
  });
  const load = () => { frame.srcdoc = model.get("page"); };
  const watch = { "change:state": follow, "change:height": size, "change:page": load };
  for (const [event, action] of Object.entries(watch)) model.on(event, action);
  const observer = new MutationObserver(recolour);
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributeFilter: ["class", "style", "data-theme", "data-jp-theme-light"] });
  }
  size();
  load();
  el.append(frame);
  return () => {
    observer.disconnect();
    for (const [event, action] of Object.entries(watch)) model.off(event, action);
  };
}

export default { render };
