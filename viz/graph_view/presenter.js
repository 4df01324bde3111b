// Presenter view: a remote changes the step, changes are highlighted, and a second window shows the notes.

import { button, html } from "./elements.js";
import { clean } from "./numbers.js";
import { inWords } from "./translation.js";

const CHANNEL = "edgewise-presenter"; // connects the windows of one browser, which may show several presentations
const STEPS = { " ": 1, ArrowRight: 1, ArrowDown: 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1 };
const PAGES = { PageDown: 1, PageUp: -1 };
const OTHERS = { Escape: { leave: true }, Home: { end: 0 }, End: { end: 1 }, n: { notes: true }, N: { notes: true } };

// Return the action of a key: step, slide or event, first or last step, notes, leave; null if it has none.
export function remoteKey(key) {
  if (Object.hasOwn(STEPS, key)) return { step: STEPS[key] };
  if (Object.hasOwn(PAGES, key)) return { slide: PAGES[key] };
  return Object.hasOwn(OTHERS, key) ? OTHERS[key] : null;
}

// Return true if an edge appears, disappears or turns at a step.
export function changesAt(edge, step) {
  return step > 0 && [...edge.spans, ...(edge.turns ?? [])].some(([from, to]) => from === step || to === step);
}

// Return the id of the presentation of a window. Notes belong to the window that opened them, and keep its id in the
// window name through a reload. Notes opened by their address follow any presentation ("").
export function presentationOf(mode, kept, name) {
  if (mode === "notes") return name.startsWith(CHANNEL) ? name : "";
  if (!kept[CHANNEL]) kept[CHANNEL] = `${CHANNEL}-${Date.now()}-${Math.random()}`;
  return kept[CHANNEL];
}

export function elapsed(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

export const Presenter = {
  buildNotes() {
    this.leaveTools = html("div", { class: "tools present-tools" },
      button("Notes", "Open the notes in a second window (key N)", () => this.openNotes()),
      button("Leave", "Leave the presenter view (Esc)", () => this.reportPresenter("leave")));
    this.notes = html("section", { class: "notes", "aria-label": inWords("Speaker notes"), hidden: "" },
      ...["clock", "title", "now", "more", "next"].map((part) => html("p", { class: part })));
    return [this.leaveTools, this.notes];
  },

  loadPresenter() {
    const mode = this.graph.present ?? "";
    this.root.classList.toggle("presenting", mode === "1");
    this.root.classList.toggle("follows", mode === "notes");
    this.leaveTools.hidden = mode !== "1";
    this.notes.hidden = mode !== "notes";
    if (!mode || this.exporting) return;
    this.mode = mode;
    if (this.channel) return;
    this.began = Date.now();
    this.presentation = presentationOf(mode, sessionStorage, window.name);
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.addEventListener("message", (e) => this.onWindowMessage(e.data));
    this.onRemote = (e) => this.remote(e);
    window.addEventListener("keydown", this.onRemote, true);
    if (mode === "notes") {
      this.postToWindows({ asks: true });
      this.clock = setInterval(() => this.showClock(), 1000);
    }
  },

  leavePresenter() {
    if (!this.channel) return;
    window.removeEventListener("keydown", this.onRemote, true);
    clearInterval(this.clock);
    this.channel.close();
    this.channel = null;
  },

  // Handle keys regardless of the focus, except in inputs that use keys themselves.
  remote(e) {
    const at = e.composedPath()[0], asked = remoteKey(e.key);
    if (!asked || e.ctrlKey || e.metaKey || e.altKey || at.matches?.("input:not([type=range]), select, textarea, [role=slider]")) return;
    if ((e.key === " " || e.key === "Enter") && at.matches?.("button, a, summary")) return;
    e.preventDefault();
    e.stopPropagation();
    if (this.mode === "notes") return asked.leave ? window.close() : this.postToWindows({ asked });
    this.follow(asked);
  },

  follow({ step, slide, end, leave, notes }) {
    if (leave) return this.reportPresenter("leave");
    if (notes) return this.openNotes();
    if (end != null) return this.jump(end * this.last);
    const way = step ?? slide, more = way > 0 ? this.step < this.last : this.step > 0;
    // Page keys turn the slides, and so does a step beyond the first or last one.
    if (this.graph.slide && (slide || !more)) return this.reportPresenter(way > 0 ? "on" : "back");
    return step ? this.jump(this.step + way) : this.jumpToEvent(way);
  },

  reportPresenter(what) {
    this.kept.presented = { id: `${Date.now()} ${Math.random()}`, what };
    this.report();
  },

  openNotes() {
    const address = new URL(location.href);
    address.searchParams.set("present", "notes");
    window.open(address, this.presentation, "popup,width=760,height=620");
  },

  // Dim all edges that the step does not change; if it changes none, dim no edge.
  highlightStep() {
    if (this.mode !== "1" || !this.graph.present) return;
    const changed = new Set(this.edges.filter((edge) => edge.shown && changesAt(edge, this.step)));
    const ends = new Set([...changed].flatMap((edge) => [edge.na, edge.nb]));
    this.root.classList.toggle("step-highlighted", changed.size > 0);
    for (const edge of this.edges) edge.el?.toggleAttribute("data-highlight", changed.has(edge));
    for (const node of this.nodes.values()) node.el.toggleAttribute("data-highlight", ends.has(node));
    this.root.dataset.highlights = changed.size;
    this.sendNotes();
  },

  sendNotes() {
    if (this.mode !== "1" || !this.channel) return;
    const { text = [] } = this.steps, next = this.step + 1;
    const notes = { title: this.graph.title, now: this.sentence.textContent, more: (this.graph.notes ?? []).join(" ") };
    const after = next <= this.last ? text[next] : this.graph.slide?.next;
    this.postToWindows({ notes: { ...notes, next: inWords("Next: {title}", { title: after || inWords("end") }), began: this.began } });
  },

  postToWindows(said) {
    this.channel.postMessage({ ...said, of: this.presentation });
  },

  onWindowMessage({ asks, asked, notes, of }) {
    if (of && this.presentation && of !== this.presentation) return;
    if (asks) this.sendNotes();
    if (asked && this.mode === "1") this.follow(asked);
    if (!notes || this.mode !== "notes") return;
    this.began = notes.began;
    for (const part of ["title", "now", "more", "next"]) {
      this.notes.querySelector(`.${part}`).textContent = clean(notes[part] ?? "");
    }
    this.showClock();
  },

  showClock() {
    const now = new Date(), time = now.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    this.notes.querySelector(".clock").textContent = `${time} · ${inWords("{time} elapsed", { time: elapsed((now - this.began) / 1000) })}`;
  },
};
