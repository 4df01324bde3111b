// Export the graph as SVG or PNG, with title, step and legend.

import { download, html, svg, SVG } from "./elements.js";
import { round } from "./geometry.js";
import { clean } from "./numbers.js";

const EXPORT_HEIGHT = 1100; // height in pixels of the exported layout; the style sheet sets the width
const AROUND = 24, ROW = 20, LETTERS = 14, LEGEND = 330, MIN_WIDTH = 760;
const MAX_PIXELS = 8000; // maximum side in pixels that browsers can paint
const INK = "#31333f"; // text colour of the exported image
const FONTS = 0.8; // share of the width that text may fill; the font of another program may be wider

function written(text, x, y, family, weight, size = LETTERS) {
  const line = svg("text", { x, y, style: `font: ${weight} ${size}px ${family}; fill: ${INK}` });
  line.textContent = text;
  return line;
}

// Break text into lines that fit: between words, and inside words that are too long.
export function wrapped(text, fits) {
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else {
      lines.push("");
      for (const letter of word) {
        if (lines.at(-1) && !fits(lines.at(-1) + letter)) lines.push("");
        lines[lines.length - 1] += letter;
      }
    }
  }
  return lines;
}

// Copy an element with its computed styles inlined; hidden elements are omitted.
function inlined(original) {
  const style = getComputedStyle(original);
  if (style.display === "none" || (original.matches(".hit") && style.stroke === "none")) return null;
  const copy = document.createElementNS(SVG, original.localName);
  for (const { name, value } of original.attributes) if (!/^(class|tabindex|role|style|data-(?!a$|b$|mark$|node$).*)$/.test(name)) {
    copy.setAttribute(name, value);
  }
  for (const name of ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "opacity", "paint-order", "font-family", "font-size", "font-weight", "text-anchor"]) {
    copy.style.setProperty(name, style.getPropertyValue(name));
  }
  // Another program may lack the page's font; the label must still fit its node.
  if (original.matches(".node text")) {
    copy.setAttribute("textLength", round(original.getComputedTextLength()));
    copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  for (const child of original.childNodes) {
    const inner = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : inlined(child);
    if (inner) copy.append(inner);
  }
  return copy;
}

export const Export = {
  // Render a hidden copy in light colours with full names, and return its image.
  renderExport() {
    const holder = html("div", { class: "export-view", "aria-hidden": "true", inert: "" });
    this.root.after(holder);
    const view = new this.constructor(holder);
    view.exporting = true;
    view.key = this.key;
    view.kept = { ...this.kept, moved: new Map(this.kept.moved), world: null, zoom: null };
    view.given = EXPORT_HEIGHT;
    view.fitHeight();
    view.showTheme();
    view.load(this.graph);
    view.legend.open = true;
    const image = view.exportImage();
    view.stop();
    holder.remove();
    return image;
  },

  // Compose the image: title, step and remarks on top, the graph below, the legend on the right.
  exportImage() {
    const nodes = [...this.nodes.values()].filter((node) => !node.away), wide = (n) => Math.max(n.room, n.w) / 2;
    const left = Math.min(...nodes.map((n) => n.px - wide(n))), top = Math.min(...nodes.map((n) => n.py - n.above));
    const right = Math.max(...nodes.map((n) => n.px + wide(n))), low = Math.max(...nodes.map((n) => n.py + n.below));
    const width = Math.max(MIN_WIDTH, right - left + 2 * AROUND + LEGEND), lines = this.heading(width - 2 * AROUND);
    const begin = AROUND + ROW * lines.length, legend = this.legendRows(width - LEGEND, begin);
    const height = Math.max(begin + low - top + 2 * AROUND, begin + ROW * (legend.length + 1));
    this.setZoom([1, AROUND - left, begin + AROUND - top], false);
    for (const edge of this.edges) if (edge.state) edge.el.dataset.mark = edge.here ? this.stateOf(edge)[0].mark : "none";
    this.placeEdgeNotes();
    const copy = inlined(this.svg), family = getComputedStyle(this.root).fontFamily;
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    for (const [k, v] of Object.entries({ xmlns: SVG, ...size, viewBox: `0 0 ${size.width} ${size.height}` })) {
      copy.setAttribute(k, v);
    }
    const texts = lines.map(([text, weight], k) => written(text, AROUND, AROUND + ROW * k, family, weight));
    copy.prepend(svg("rect", { ...size, fill: getComputedStyle(this.root).backgroundColor }), ...texts, ...legend);
    return { blob: new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }), ...size };
  },

  heading(width) {
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = `600 ${LETTERS}px ${getComputedStyle(this.root).fontFamily}`;
    const step = this.steps.count > 1 ? this.sentence.textContent : this.steps.text?.[0];
    const remarks = [...this.remarks.children].map((line) => line.textContent);
    const lines = [[clean(this.graph.title ?? ""), 600], ...[clean(step ?? ""), ...remarks].map((text) => [text, 400])];
    return lines.flatMap(([text, weight]) => wrapped(text, (t) => brush.measureText(t).width <= FONTS * width).map((t) => [t, weight]));
  },

  legendRows(x, y) {
    const family = getComputedStyle(this.root).fontFamily;
    const about = [...this.legend.querySelectorAll("div")].filter((row) => !row.querySelector(".point, .mark.ghost"));
    return about.map((row, k) => {
      const image = row.querySelector("svg"), copy = image && inlined(image);
      for (const [name, value] of Object.entries({ x, y: y + ROW * k })) copy?.setAttribute(name, value);
      const text = written(row.lastChild.textContent, x + 48, y + ROW * k + 12, family, 400, 12);
      return svg("g", {}, ...(copy ? [copy, text] : [text]));
    });
  },

  saveSvg() {
    download(this.renderExport().blob, `${this.graph.file_name ?? "graph"}.svg`);
  },

  async savePng() {
    const { blob, width, height } = this.renderExport(), url = URL.createObjectURL(blob);
    const scale = Math.min(2, MAX_PIXELS / Math.max(width, height));
    const image = new Image(), canvas = document.createElement("canvas");
    image.src = url;
    await image.decode();
    [canvas.width, canvas.height] = [Math.floor(scale * width), Math.floor(scale * height)];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    canvas.toBlob((picture) => download(picture, `${this.graph.file_name ?? "graph"}.png`));
  },
};
