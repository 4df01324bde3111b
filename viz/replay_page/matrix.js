// The adjacency matrix at a step: rows point at columns.

import { html } from "../graph_view/elements.js";
import { clean, shorten } from "../graph_view/numbers.js";
import { matrixCells } from "./edge_rows.js";

const MIN_CELL = 3, MAX_CELL = 24, LETTERED = 10; // pixels; names are drawn beside cells of at least LETTERED
const MARGIN_OF_NONE = 22, NAME_LETTERS = 19, LETTER_SIZE = 12;
const CELL_KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// Return the size of a cell, the margin, and true if names `letters` pixels long fit, for `n` rows in a width.
export function matrixSizes(width, n, letters) {
  const beside = MARGIN_OF_NONE + letters, fit = (margin) => Math.floor((width - margin) / Math.max(1, n));
  const named = fit(beside) >= LETTERED, margin = named ? beside : MARGIN_OF_NONE;
  return { cell: Math.max(MIN_CELL, Math.min(MAX_CELL, fit(margin))), margin, named };
}

export const Matrix = {
  buildMatrix() {
    this.order = html("select", {}, ...Object.keys(this.page.orders).map((label) => html("option", {}, label)));
    this.order.addEventListener("change", () => this.drawMatrix());
    this.canvas = html("canvas", { tabindex: 0, role: "application" });
    this.matrixNote = html("p", { class: "matrix-note", "aria-live": "polite" }, "Rows point at columns. Click a cell to explain its pair.");
    this.cursorCell = [0, 0];
    this.canvas.addEventListener("pointermove", (e) => this.pointMatrix(this.cellUnder(e)));
    this.canvas.addEventListener("click", (e) => this.chooseCell(this.cellUnder(e)));
    this.canvas.addEventListener("keydown", (e) => this.onMatrixKey(e));
    this.canvas.addEventListener("focus", () => this.drawMatrix());
    this.canvas.addEventListener("blur", () => this.drawMatrix());
    return html("section", { class: "matrix", hidden: "", "aria-label": "Adjacency matrix" },
      html("label", {}, "Order ", this.order), html("div", { class: "wide" }, this.canvas), this.matrixNote);
  },

  matrixSoon() {
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.shown === "Matrix" && this.drawMatrix());
  },

  drawMatrix() {
    const { names } = this.page, order = this.page.orders[this.order.value], n = names.length;
    const sharp = Math.min(2, devicePixelRatio), style = getComputedStyle(this.canvas), pen = this.canvas.getContext("2d");
    const short = names.map((name) => shorten(clean(name), NAME_LETTERS));
    pen.font = `${LETTER_SIZE}px ${style.fontFamily}`;
    const letters = Math.ceil(Math.max(0, ...short.map((name) => pen.measureText(name).width)));
    const { cell, margin, named } = matrixSizes(this.canvas.parentElement.clientWidth, n, letters), size = margin + n * cell + 1;
    const ink = style.color, blue = style.getPropertyValue("--st-primary-color").trim();
    Object.assign(this.canvas, { width: size * sharp, height: size * sharp });
    Object.assign(this.canvas.style, { width: `${size}px`, height: `${size}px` });
    Object.assign(this, { cell, margin, rank: new Map(order.map((k, at) => [k, at])), ordered: order });
    const cells = matrixCells(this.graph, this.step);
    this.canvas.setAttribute("aria-label", `Adjacency matrix of ${n} variables, ${cells.length} cells filled; arrow keys move, Enter explains the pair`);
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.font = `${Math.min(LETTER_SIZE, cell + 1)}px ${style.fontFamily}`;
    pen.textBaseline = "middle";
    const box = (row, column) => [margin + this.rank.get(column) * cell, margin + this.rank.get(row) * cell, cell, cell];
    pen.fillStyle = pen.strokeStyle = ink;
    pen.globalAlpha = 0.14;
    for (let k = 0; k <= n && cell > 5; k++) for (const across of [true, false]) {
      const at = margin + k * cell;
      pen.fillRect(across ? margin : at, across ? at : margin, across ? n * cell : 1, across ? 1 : n * cell);
    }
    for (const k of order) pen.fillRect(...box(k, k));
    this.nameMatrix(pen, named ? order.map((k) => short[k]) : []);
    pen.fillStyle = blue;
    for (const [row, column, edge] of cells) {
      pen.globalAlpha = 0.35 + 0.65 * (edge.strength ?? edge.opacity ?? 1);
      pen.fillRect(...box(row, column));
    }
    pen.globalAlpha = 1;
    pen.lineWidth = 2;
    pen.strokeStyle = style.getPropertyValue("--warm").trim();
    if (this.pair) for (const [row, column] of [this.pair, [...this.pair].reverse()]) pen.strokeRect(...box(row, column));
    pen.strokeStyle = ink;
    if (document.activeElement === this.canvas) pen.strokeRect(...box(...this.cursorCell.map((at) => order[at])));
  },

  nameMatrix(pen, names) {
    const { cell, margin } = this;
    if (!names.length) return; // the sentence below the matrix explains rows and columns
    pen.globalAlpha = 0.9;
    pen.fillText("from", 2, margin - 8);
    pen.textAlign = "right";
    pen.fillText("to", margin - 5, 8);
    names.forEach((name, at) => {
      const middle = margin + (at + 0.5) * cell;
      pen.textAlign = "right";
      pen.fillText(name, margin - 5, middle);
      pen.save();
      pen.translate(middle, margin - 5);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = "left";
      pen.fillText(name, 0, 0);
      pen.restore();
    });
    pen.textAlign = "left";
  },

  cellUnder(e) {
    const box = this.canvas.getBoundingClientRect(), at = (v) => Math.floor((v - this.margin) / this.cell);
    const [row, column] = [at(e.clientY - box.top), at(e.clientX - box.left)], { length } = this.page.names;
    return [row, column].every((k) => k >= 0 && k < length) ? [row, column] : null;
  },

  // Write the pair of a cell below the matrix.
  pointMatrix(cell) {
    if (!cell) return;
    const [a, b] = cell.map((at) => this.ordered[at]), edge = this.edgeOf([a, b]);
    const filled = matrixCells(this.graph, this.step).find(([row, column]) => row === a && column === b);
    const names = [a, b].map((k) => clean(this.page.names[k]));
    this.matrixNote.textContent = a === b ? names[0]
      : `Row ${names[0]}, column ${names[1]}: ${filled ? ["edge", edge.strength_text].filter(Boolean).join(", ") : "empty"}`;
  },

  chooseCell(cell) {
    if (!cell || cell[0] === cell[1]) return;
    this.cursorCell = cell;
    const pair = cell.map((at) => this.ordered[at]);
    this.selectInGraph(pair);
    this.showSelected(pair);
  },

  onMatrixKey(e) {
    const way = CELL_KEYS[e.key], n = this.page.names.length;
    if (way) {
      this.cursorCell = this.cursorCell.map((at, k) => Math.max(0, Math.min(n - 1, at + way[k])));
      this.drawMatrix();
      this.pointMatrix(this.cursorCell);
    } else if (e.key === "Enter" || e.key === " ") this.chooseCell(this.cursorCell);
    else return;
    e.preventDefault();
  },
};
