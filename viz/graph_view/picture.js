// The picture as a file.

import { download, svg, SVG } from "./elements.js";
import { round } from "./geometry.js";

// A copy that looks the same without the page's style sheet; what is not shown is left out.
function inlined(original) {
  const style = getComputedStyle(original);
  if (style.display === "none" || (original.matches(".hit") && style.stroke === "none")) return null;
  const copy = document.createElementNS(SVG, original.localName);
  for (const { name, value } of original.attributes) if (!/^(class|tabindex|role|style|data-.*)$/.test(name)) {
    copy.setAttribute(name, value);
  }
  for (const name of ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "opacity", "paint-order", "font-family", "font-size", "font-weight", "text-anchor"]) {
    copy.style.setProperty(name, style.getPropertyValue(name));
  }
  // Elsewhere the page's font may be missing; the label must still fit its node.
  if (original.matches(".node text")) {
    copy.setAttribute("textLength", round(original.getComputedTextLength()));
    copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  for (const child of original.childNodes) {
    const twin = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : inlined(child);
    if (twin) copy.append(twin);
  }
  return copy;
}

export const Picture = {
  picture() {
    const { clientWidth: width, clientHeight: height } = this.svg, copy = inlined(this.svg);
    for (const [k, v] of Object.entries({ xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })) {
      copy.setAttribute(k, v);
    }
    copy.prepend(svg("rect", { width, height, fill: getComputedStyle(this.root).backgroundColor }));
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  },

  saveSvg() {
    download(this.picture(), `${this.graph.file_name ?? "graph"}.svg`);
  },

  async savePng() {
    const { clientWidth: width, clientHeight: height } = this.svg, url = URL.createObjectURL(this.picture());
    const image = new Image(), canvas = document.createElement("canvas");
    image.src = url;
    await image.decode();
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    URL.revokeObjectURL(url);
    canvas.toBlob((blob) => download(blob, `${this.graph.file_name ?? "graph"}.png`));
  },
};
