// Format values and names as text.

import { inWords } from "./translation.js";

const MIN_PLAIN = 1e-4; // the least number that is shown without an exponent, as in learners/common/wording.py

// Format a value according to the scale of its series.
export function formatValue(series, v) {
  if (series.decimals) return withMinus(v.toFixed(series.decimals));
  return series.probability ? probability(v) : series.log_p ? powerOfTen(v) : number(v);
}

function powerOfTen(v) {
  if (v > -4) return small(10 ** v);
  const exponent = Math.floor(v), digits = (10 ** (v - exponent)).toFixed(2);
  return digits === "10.00" ? `1.00e${exponent + 1}` : `${digits}e${exponent}`;
}

export function probability(v) {
  if (v > 0.999) return v === 1 ? "1" : `1\u00a0−\u00a0${small(1 - v)}`;
  return small(v);
}

function small(v) {
  return v < MIN_PLAIN && v > 0 ? v.toExponential(2) : String(+v.toPrecision(3));
}

export function number(v) {
  return withMinus(digits(v));
}

function digits(v) {
  if (Number.isInteger(v) || Math.abs(v) >= 1e3) return v.toLocaleString("en", { maximumFractionDigits: 1 }).replaceAll(",", inWords(","));
  return Math.abs(v) < MIN_PLAIN ? v.toExponential(2) : String(+v.toPrecision(3));
}

// Return the text of a number with a minus sign in place of a leading hyphen.
function withMinus(text) {
  return text.replace(/^-/, "\u2212");
}

// Round to three digits of the value, or of its distance to 1.
export function rounded(v) {
  return v < 0.5 ? +v.toPrecision(3) : 1 - +(1 - v).toPrecision(3);
}

// Replace control characters, which would break an exported SVG (XML), and marks that change the writing direction, as
// `one_line` in learners/common/wording.py does.
export function clean(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]+/g, " ");
}

// Cut the middle out of a long text, as in viz/text.py, because survey questions begin alike and differ at the end.
export function shorten(text, longest) {
  const letters = [...text], end = Math.floor((2 * (longest - 1)) / 5), from = letters.length - end;
  if (letters.length <= longest) return text;
  return `${letters.slice(0, longest - 1 - end).join("").trimEnd()}…${letters.slice(from).join("").trimStart()}`;
}

const ALIKE = 3; // number of equal first or last characters of names that begin or end alike

// Shorten each name. Names that begin or end alike keep their rarest words, as in viz/text.py, because they would look
// the same otherwise.
export function shortNames(names, longest) {
  const words = names.map((name) => name.match(/[^\s_./:-]+[\s_./:-]*|[\s_./:-]+/g) ?? []), known = new Map(), ends = new Map();
  const stem = (word) => word.replace(/[\s_./:-]+$/, ""), twoEnds = (name) => [[...name].slice(0, ALIKE).join(""), `\0${[...name].slice(-ALIKE).join("")}`];
  for (const own of words) for (const word of new Set(own.map(stem))) known.set(word, (known.get(word) ?? 0) + 1);
  const long = (name) => [...name].length > longest;
  for (const name of names) if (long(name)) for (const end of twoEnds(name)) ends.set(end, (ends.get(end) ?? 0) + 1);
  const alike = (name) => long(name) && twoEnds(name).some((end) => ends.get(end) > 1), equal = new Map();
  const labels = names.map((name, k) => (alike(name) ? rareWords(words[k], longest, (word) => known.get(stem(word))) : shorten(name, longest)));
  labels.forEach((label, k) => equal.set(label, [...(equal.get(label) ?? []), k]));
  for (const group of equal.values()) {
    if (group.length > 1) differences(group.map((k) => [...names[k]]), longest).forEach((text, at) => (labels[group[at]] = text));
  }
  return labels;
}

// Return the part in which lines differ, with as much around it as fits.
function differences(lines, longest) {
  const least = Math.min(...lines.map((line) => line.length)), differ = (at) => new Set(lines.map(at)).size > 1;
  let start = 0, end = 0;
  while (start < least && !differ((line) => line[start])) start++;
  while (end < least - start && !differ((line) => line[line.length - 1 - end])) end++;
  return lines.map((line) => {
    const stop = line.length - end, room = longest - 2 - (stop - start);
    if (room < 0) return shorten(line.slice(start, stop).join(""), longest);
    const before = Math.min(start, Math.max(Math.floor(room / 2), room - end)), after = Math.min(end, room - before);
    const text = line.slice(start - before, stop + after).join("").trim();
    return `${before < start ? "…" : ""}${text}${after < end ? "…" : ""}`;
  });
}

// Return the rarest words of a name in their order, with … in place of the others.
function rareWords(words, longest, frequency) {
  const order = words.map((_, k) => k).sort((a, b) => frequency(words[a]) - frequency(words[b]) || a - b), kept = new Set();
  const text = (some) => words.map((word, k) => (some.has(k) ? word : "\0")).join("").replace(/[\s_./:-]*\0+/g, "…").trim();
  let best = "";
  for (const k of order) {
    const tried = text(new Set(kept).add(k));
    if ([...tried].length > longest) return best || shorten(tried, longest);
    kept.add(k);
    best = tried;
  }
  return best;
}

export function awareness(a, b, [knowsA, knowsB]) {
  if (knowsA && knowsB) return inWords("both ends aware");
  return knowsA || knowsB ? inWords("{a} aware of {b}", knowsA ? { a, b } : { a: b, b: a }) : "";
}
