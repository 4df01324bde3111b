// Minimap of the whole graph with the visible part; shown once a part of the graph is out of view.

import { html } from "./elements.js";
import { inWords } from "./translation.js";

const FEW_NODES = 20; // maximum number of nodes for which no map is needed
const MAP_SIZE = [150, 96], MAP_RIM = 6; // size and margin in pixels

// Return scale and offsets that map layout coordinates to the minimap, centred.
export function mapOf([x0, y0, x1, y1], [width, height], rim) {
  const scale = Math.min((width - 2 * rim) / (x1 - x0 || 1), (height - 2 * rim) / (y1 - y0 || 1));
  return [scale, (width - scale * (x0 + x1)) / 2, (height - scale * (y0 + y1)) / 2];
}

export const Minimap = {
  buildMinimap() {
    this.minimap = html("canvas", { class: "minimap", role: "img", "aria-label": inWords("Minimap"), hidden: "" });
    const move = (e) => {
      if (!e.buttons) return;
      const box = this.minimap.getBoundingClientRect(), [s, tx, ty] = this.onMap, k = this.zoom[0];
      const x = (e.clientX - box.left - tx) / s, y = (e.clientY - box.top - ty) / s;
      this.setZoom([k, this.svg.clientWidth / 2 - k * x, this.svg.clientHeight / 2 - k * y]);
      e.preventDefault();
    };
    this.minimap.addEventListener("pointerdown", (e) => (this.minimap.setPointerCapture(e.pointerId), move(e)));
    this.minimap.addEventListener("pointermove", move);
    return this.minimap;
  },

  mapSoon() {
    if (this.mapFrame || this.exporting) return;
    this.mapFrame = requestAnimationFrame(() => {
      this.mapFrame = null;
      this.drawMap();
    });
  },

  drawMap() {
    const all = [...this.nodes.values()].filter((node) => !node.away), { clientWidth, clientHeight } = this.svg;
    if (!all.length || !clientWidth) return;
    const [k, tx, ty] = this.zoom, view = [-tx / k, -ty / k, (clientWidth - tx) / k, (clientHeight - ty) / k];
    const xs = all.map((n) => n.px), ys = all.map((n) => n.py);
    const rim = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const whole = rim.every((v, at) => (at < 2 ? v >= view[at] : v <= view[at]));
    this.minimap.hidden = whole || this.nodes.size <= FEW_NODES;
    if (this.minimap.hidden) return;
    const sharp = Math.min(2, devicePixelRatio), pen = this.minimap.getContext("2d"), style = getComputedStyle(this.minimap);
    [this.minimap.width, this.minimap.height] = MAP_SIZE.map((side) => side * sharp);
    const [s, mx, my] = (this.onMap = mapOf(rim, MAP_SIZE, MAP_RIM));
    pen.scale(sharp, sharp);
    pen.fillStyle = pen.strokeStyle = style.color;
    pen.globalAlpha = 0.55;
    for (const n of all) pen.fillRect(s * n.px + mx - 1, s * n.py + my - 1, 2, 2);
    pen.globalAlpha = 1;
    pen.strokeStyle = style.outlineColor;
    pen.lineWidth = 2;
    const [x0, y0, x1, y1] = view.map((v, at) => Math.max(1, Math.min(MAP_SIZE[at % 2] - 1, s * v + (at % 2 ? my : mx))));
    pen.strokeRect(x0, y0, x1 - x0, y1 - y0);
  },
};
