// The presenter view: a remote's keys walk the steps, what a step is about stands out, a second window has the notes.

import { button, html } from "./elements.js";
import { clean } from "./numbers.js";

const CHANNEL = "edgewise-presenter"; // between the windows of one browser, where several may present
const STEPS = { " ": 1, ArrowRight: 1, ArrowDown: 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1 };
const PAGES = { PageDown: 1, PageUp: -1 };
const OTHERS = { Escape: { leave: true }, Home: { end: 0 }, End: { end: 1 }, n: { notes: true }, N: { notes: true } };

// What a key asks for: a step on or back, a slide or landmark, an end, the notes, or to leave; null if nothing.
export function remoteKey(key) {
  if (Object.hasOwn(STEPS, key)) return { step: STEPS[key] };
  if (Object.hasOwn(PAGES, key)) return { slide: PAGES[key] };
  return Object.hasOwn(OTHERS, key) ? OTHERS[key] : null;
}

// Whether an edge comes, goes or turns at a step.
export function changesAt(edge, step) {
  return step > 0 && [...edge.spans, ...(edge.turns ?? [])].some(([from, to]) => from === step || to === step);
}

// The presentation that a window belongs to: its own, or for notes that of who opened them, which their name says and
// keeps through a reload. Notes that were opened by their address follow whoever presents: "".
export function presentationOf(mode, kept, name) {
  if (mode === "notes") return name.startsWith(CHANNEL) ? name : "";
  if (!kept[CHANNEL]) kept[CHANNEL] = `${CHANNEL}-${Date.now()}-${Math.random()}`;
  return kept[CHANNEL];
}

export function elapsed(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

export const Presenting = {
  buildNotes() {
    this.leaveTools = html("div", { class: "tools present-tools" },
      button("Notes", "open the notes in a second window (key N)", () => this.openNotes()),
      button("Leave", "leave the presenter view (Esc)", () => this.tellPresented("leave")));
    this.notes = html("section", { class: "notes", "aria-label": "speaker's notes", hidden: "" },
      ...["clock", "title", "now", "more", "next"].map((part) => html("p", { class: part })));
    return [this.leaveTools, this.notes];
  },

  loadPresenting() {
    const mode = this.graph.present ?? "";
    this.root.classList.toggle("presenting", mode === "1");
    this.root.classList.toggle("follows", mode === "notes");
    this.leaveTools.hidden = mode !== "1";
    this.notes.hidden = mode !== "notes";
    if (!mode || this.whole) return;
    this.mode = mode;
    if (this.channel) return;
    this.began = Date.now();
    this.presentation = presentationOf(mode, sessionStorage, window.name);
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.addEventListener("message", (e) => this.hearWindow(e.data));
    this.onRemote = (e) => this.remote(e);
    window.addEventListener("keydown", this.onRemote, true);
    if (mode === "notes") {
      this.sayToWindows({ asks: true });
      this.clock = setInterval(() => this.showClock(), 1000);
    }
  },

  leavePresenting() {
    if (!this.channel) return;
    window.removeEventListener("keydown", this.onRemote, true);
    clearInterval(this.clock);
    this.channel.close();
    this.channel = null;
  },

  // Wherever the focus is, but where something is typed or chosen by keys.
  remote(e) {
    const at = e.composedPath()[0], asked = remoteKey(e.key);
    if (!asked || e.ctrlKey || e.metaKey || e.altKey || at.matches?.("input:not([type=range]), select, textarea, [role=slider]")) return;
    if ((e.key === " " || e.key === "Enter") && at.matches?.("button, a, summary")) return;
    e.preventDefault();
    e.stopPropagation();
    if (this.mode === "notes") return asked.leave ? window.close() : this.sayToWindows({ asked });
    this.follow(asked);
  },

  follow({ step, slide, end, leave, notes }) {
    if (leave) return this.tellPresented("leave");
    if (notes) return this.openNotes();
    if (end != null) return this.jump(end * this.last);
    const way = step ?? slide, more = way > 0 ? this.step < this.last : this.step > 0;
    // Where there are slides, page keys turn them; so does a step beyond the last.
    if (this.graph.slide && (slide || !more)) return this.tellPresented(way > 0 ? "on" : "back");
    return step ? this.jump(this.step + way) : this.event(way);
  },

  tellPresented(what) {
    this.kept.presented = { id: `${Date.now()} ${Math.random()}`, what };
    this.report();
  },

  openNotes() {
    const address = new URL(location.href);
    address.searchParams.set("present", "notes");
    window.open(address, this.presentation, "popup,width=760,height=620");
  },

  // All others faint while a step is about some; nothing is faint where it is about none.
  spotlight() {
    if (this.mode !== "1" || !this.graph.present) return;
    const lit = new Set(this.edges.filter((edge) => edge.shown && changesAt(edge, this.step)));
    const ends = new Set([...lit].flatMap((edge) => [edge.na, edge.nb]));
    this.root.classList.toggle("spotlit", lit.size > 0);
    for (const edge of this.edges) edge.el?.toggleAttribute("data-spot", lit.has(edge));
    for (const node of this.nodes.values()) node.el.toggleAttribute("data-spot", ends.has(node));
    this.root.dataset.spots = lit.size;
    this.tellNotes();
  },

  tellNotes() {
    if (this.mode !== "1" || !this.channel) return;
    const { text = [] } = this.steps, next = this.step + 1;
    const told = { title: this.graph.title, now: this.sentence.textContent, more: (this.graph.notes ?? []).join(" ") };
    const after = next <= this.last ? text[next] : this.graph.slide?.next;
    this.sayToWindows({ told: { ...told, next: `Next: ${after || "the end"}`, began: this.began } });
  },

  sayToWindows(said) {
    this.channel.postMessage({ ...said, of: this.presentation });
  },

  hearWindow({ asks, asked, told, of }) {
    if (of && this.presentation && of !== this.presentation) return;
    if (asks) this.tellNotes();
    if (asked && this.mode === "1") this.follow(asked);
    if (!told || this.mode !== "notes") return;
    this.began = told.began;
    for (const part of ["title", "now", "more", "next"]) {
      this.notes.querySelector(`.${part}`).textContent = clean(told[part] ?? "");
    }
    this.showClock();
  },

  showClock() {
    const now = new Date(), time = now.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    this.notes.querySelector(".clock").textContent = `${time} · ${elapsed((now - this.began) / 1000)} since the beginning`;
  },
};
