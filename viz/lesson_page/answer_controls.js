// An exercise: its controls, and the verdict on an answer.

import { html } from "../graph_view/elements.js";
import { filled } from "./marked_text.js";
import { reveal } from "./move_to.js";

const ANSWER_HEIGHT = 320; // pixels
const MARK_ORDER = ["undirected", "forward", "backward"];
let groups = 0; // number of the radio groups of the page

// Return whether an answer is right, why, and the position of its picture, or null.
export function answerVerdict(pack, given) {
  const first = pack.pictures.length ? 0 : null;
  if (pack.kind === "choices") return [given === pack.answer, pack.why, first];
  if (pack.kind === "number") {
    if (Math.abs(given - pack.value) <= pack.tolerance + 1e-12) return [true, pack.why, first];
    const near = pack.slips.filter(([value]) => Math.abs(given - value) <= pack.near);
    near.sort(([a], [b]) => Math.abs(given - a) - Math.abs(given - b));
    return [false, [near[0]?.[1], pack.why].filter(Boolean).join(" "), first];
  }
  return pack.answers[given] ?? [false, pack.why, first];
}

// Return the number that was typed, with a decimal point or comma; NaN if it is none.
export function numberOf(text) {
  const cleaned = text.trim().replace(",", ".").replace("−", "-");
  return cleaned === "" ? NaN : Number(cleaned);
}

// Return the answer of checked boxes, in the order of the options.
export function joined(options, chosen) {
  return options.map(([value]) => value).filter((value) => chosen.has(value)).join(",");
}

export function answerControls(pack, words, graph) {
  const verdict = html("div", { class: "verdict", "aria-live": "polite" }), lit = html("div", {});
  const tell = (given) => {
    const [right, why, at] = answerVerdict(pack, given);
    const wrong = pack.kind === "nodes" ? "wrong set" : pack.kind === "choices" || pack.kind === "number" ? "wrong" : "wrong entry";
    verdict.className = `verdict ${right ? "right" : "wrong"}`;
    verdict.textContent = right ? filled(words.right, { why }) : filled(words[wrong], { right: pack.right, why });
    lit.replaceChildren();
    if (at != null) {
      const slot = graph(pack.pictures[at], ANSWER_HEIGHT);
      if (pack.pictures[at].steps.count > 1) lit.append(html("p", { class: "quiet" }, words.members));
      lit.append(slot);
      slot.draw();
      reveal(lit);
    }
    reveal(verdict); // last, so that the text is in view even if the picture is too high for the window
  };
  const parts = (PARTS[pack.kind] ?? PARTS.options)(pack, words, graph, tell);
  return html("div", { class: "exercise" }, html("p", { class: "asked" }, pack.question), ...parts, verdict, lit);
}

function check(words, read, tell) {
  const b = html("button", { type: "button" }, words.check);
  b.addEventListener("click", () => {
    const given = read();
    if (given !== null) tell(given);
  });
  return b;
}

function choices(labels, type, onChange) {
  const name = `answer-${++groups}`;
  return labels.map(([value, text]) => {
    const box = html("input", { type, name, value });
    box.addEventListener("change", () => onChange(box));
    return html("label", { class: "pick" }, box, ` ${text}`);
  });
}

const PARTS = {
  choices(pack, _words, _graph, tell) {
    return choices(pack.choices.map((text, k) => [k, text]), "radio", (box) => tell(+box.value));
  },

  number(pack, words, _graph, tell) {
    const box = html("input", { inputmode: "decimal", maxlength: 20, "aria-label": words.number });
    const read = () => (Number.isFinite(numberOf(box.value)) ? numberOf(box.value) : null);
    box.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && read() !== null) tell(read());
    });
    return [html("label", { class: "value" }, box, ` ${pack.unit}`), check(words, read, tell)];
  },

  order(pack, words, _graph, tell) {
    const lists = pack.steps.map((_, k) => html("select", { "aria-label": `${words.order} ${k + 1}` }, html("option", { value: "" }, `${k + 1}.`),
      ...pack.steps.map((text, step) => html("option", { value: step }, text))));
    const read = () => (lists.some((list) => list.value === "") ? null : lists.map((list) => list.value).join(","));
    return [html("p", { class: "quiet" }, words.order), ...lists, check(words, read, tell)];
  },

  marks(pack, words, graph, tell) {
    const free = pack.marks.map((texts) => Object.keys(texts).length > 1), now = [...pack.start];
    const lists = pack.edges.map((_, k) => html("select", { "aria-label": Object.values(pack.marks[k]).join(", ") },
      ...Object.entries(pack.marks[k]).map(([mark, text]) => html("option", { value: mark }, text))));
    const set = (k, mark) => {
      now[k] = lists[k].value = mark;
      const turned = new Map(pack.edges.map((edge, j) => [edge.join("-"), now[j]]));
      slot.show({ ...pack.asked, edges: pack.asked.edges.map((edge) => ({ ...edge, spans: [[0, 1, turned.get([edge.a, edge.b].join("-")) ?? edge.spans[0][2]]] })) });
    };
    const slot = graph({ ...pack.asked, run: "asked" }, ANSWER_HEIGHT, ({ strokes }) => {
      for (const { what, nodes } of strokes) {
        const k = pack.edges.findIndex((edge) => nodes.length === 2 && edge.includes(nodes[0]) && edge.includes(nodes[1]));
        if (k < 0 || !free[k]) continue;
        const dragged = nodes[0] === pack.edges[k][0] ? "forward" : "backward";
        set(k, what === "edge" ? dragged : MARK_ORDER[(MARK_ORDER.indexOf(now[k]) + 1) % MARK_ORDER.length]);
      }
    });
    lists.forEach((list, k) => {
      list.value = now[k];
      list.addEventListener("change", () => set(k, list.value));
    });
    return [slot, ...lists.filter((_, k) => free[k]), html("p", { class: "quiet" }, words["click marks"]), check(words, () => now.join(","), tell)];
  },

  options(pack, words, graph, tell) {
    const chosen = new Set();
    const boxes = choices(pack.options, pack.kind === "slider" ? "radio" : "checkbox", (box) => {
      if (pack.kind === "slider") chosen.clear();
      box.checked ? chosen.add(box.value) : chosen.delete(box.value);
    });
    const button = check(words, () => (pack.kind === "slider" && !chosen.size ? null : joined(pack.options, chosen)), tell);
    if (!pack.asked) return [...boxes, button];
    // A click in the picture checks a box.
    const slot = graph({ ...pack.asked, run: "asked" }, ANSWER_HEIGHT, ({ strokes }) => {
      for (const { nodes } of strokes) {
        const id = [...nodes].sort((a, b) => a - b).join("-");
        boxes.find((label) => label.firstChild.value === id)?.firstChild.click();
      }
    });
    return [slot, html("p", { class: "quiet" }, words[pack.kind === "nodes" ? "click nodes" : "click edges"]), ...boxes, button];
  },
};
