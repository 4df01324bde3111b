// Tables of pairs: the edges at the step on screen, and those that do not depend on it.

import { button, html } from "../graph_view/elements.js";
import { clean, number } from "../graph_view/numbers.js";
import { edgeRows, matchingRows } from "./edge_rows.js";

const MAX_SHOWN = 300; // maximum number of rows shown; the search finds the others
export const EDGE_COLUMNS = ["from", "", "to", "type", "strength"];

export const Tables = {
  buildTables() {
    this.which = html("select", { "aria-label": "Table" }, ...["Edges", ...this.page.tables.map((table) => table.label)]
      .map((label, value) => html("option", { value }, label)));
    this.which.addEventListener("change", () => this.fillTable());
    this.search = html("input", { type: "search", placeholder: "Search", "aria-label": "Search in the table" });
    this.search.addEventListener("input", () => this.fillTable());
    this.tableNote = html("p", { class: "table-note", "aria-live": "polite" });
    this.table = html("div", { class: "wide" });
    return html("section", { class: "tables", hidden: "", "aria-label": "Table" },
      html("div", { class: "pick" }, this.which, this.search), this.tableNote, this.table);
  },

  tableSoon() {
    cancelAnimationFrame(this.filling);
    this.filling = requestAnimationFrame(() => this.shown === "Table" && this.which.value === "0" && this.fillTable());
  },

  // Return the rows of the chosen table: the pair and the cells of each.
  tableRows() {
    const { names } = this.page, table = this.page.tables[this.which.value - 1];
    if (table) return [table.columns, table.rows.map((cells, k) => ({ pair: table.pairs[k], cells }))];
    const rows = edgeRows(this.graph, this.step, this.page.types).map(({ from, to, mark, type, edge }) => (
      { pair: [from, to], cells: [names[from], mark, names[to], type, edge.strength_text ?? edge.opacity_text ?? ""] }));
    return [EDGE_COLUMNS, rows];
  },

  fillTable() {
    const [columns, all] = this.tableRows(), rows = matchingRows(all, this.search.value, (row) => row.cells);
    const body = rows.slice(0, MAX_SHOWN).map(({ pair, cells }) => {
      const names = pair.map((k) => clean(this.page.names[k])), explain = () => {
        this.selectInGraph(pair);
        this.showSelected(pair);
      };
      return html("tr", {}, html("td", {}, button("Explain", `Explain ${names.join(" and ")}`, explain)),
        ...cells.map((cell) => html("td", {}, clean(cell))));
    });
    const found = `${number(rows.length)} of ${number(all.length)} ${all.length === 1 ? "row" : "rows"}`;
    this.tableNote.textContent = rows.length > MAX_SHOWN ? `${found}; the first ${MAX_SHOWN} are shown` : found;
    this.table.replaceChildren(html("table", {},
      html("thead", {}, html("tr", {}, html("th", {}, ""), ...columns.map((column) => html("th", {}, column)))),
      html("tbody", {}, ...body)));
  },
};
