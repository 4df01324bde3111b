// Format values and names as text.

import { inWords } from "./translation.js";

// Format a value according to the scale of its series.
export function formatValue(series, v) {
  return series.probability ? probability(v) : series.log_p ? powerOfTen(v) : number(v);
}

function powerOfTen(v) {
  if (v > -4) return small(10 ** v);
  const exponent = Math.floor(v), digits = (10 ** (v - exponent)).toFixed(1);
  return (digits === "10.0" ? `1e${exponent + 1}` : `${digits}e${exponent}`).replace(".0e", "e");
}

export function probability(v) {
  if (v > 0.999) return v === 1 ? "1" : `1\u00a0−\u00a0${small(1 - v)}`;
  return small(v);
}

function small(v) {
  return v < 1e-4 ? v.toExponential(1).replace(".0e", "e") : String(+v.toPrecision(3));
}

export function number(v) {
  return withMinus(digits(v));
}

function digits(v) {
  if (Number.isInteger(v) || Math.abs(v) >= 1e3) return v.toLocaleString("en", { maximumFractionDigits: 1 }).replaceAll(",", inWords(","));
  return Math.abs(v) < 1e-3 ? v.toExponential(2) : String(+v.toPrecision(3));
}

// Return the text of a number with a minus sign in place of a leading hyphen.
function withMinus(text) {
  return text.replace(/^-/, "\u2212");
}

// Round to three digits of the value, or of its distance to 1.
export function rounded(v) {
  return v < 0.5 ? +v.toPrecision(3) : 1 - +(1 - v).toPrecision(3);
}

// Replace control characters, which would break an exported SVG (XML).
export function clean(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]+/g, " ");
}

// Cut the middle out of a long text, as in viz/text.py: survey questions begin alike and differ at the end.
export function shorten(text, longest) {
  const letters = [...text], end = Math.floor((2 * (longest - 1)) / 5), from = letters.length - end;
  if (letters.length <= longest) return text;
  return `${letters.slice(0, longest - 1 - end).join("").trimEnd()}…${letters.slice(from).join("").trimStart()}`;
}

const ALIKE = 3; // common first letters of names that begin alike

// Shorten each name. Names that begin alike keep the words that few names have, as in viz/text.py: they would look the
// same otherwise.
export function shortNames(names, longest) {
  const words = names.map((name) => name.match(/[^\s_]+[\s_]*|[\s_]+/g) ?? []), known = new Map(), heads = new Map();
  const stem = (word) => word.replace(/[\s_]+$/, ""), head = (name) => [...name].slice(0, ALIKE).join("");
  for (const own of words) for (const word of new Set(own.map(stem))) known.set(word, (known.get(word) ?? 0) + 1);
  const long = (name) => [...name].length > longest;
  for (const name of names) if (long(name)) heads.set(head(name), (heads.get(head(name)) ?? 0) + 1);
  const labels = names.map((name, k) => (long(name) && heads.get(head(name)) > 1 ? rareWords(words[k], longest, (word) => known.get(stem(word)))
    : shorten(name, longest)));
  // What is still equal is shortened as before.
  return labels.map((label, k) => (labels.indexOf(label) === labels.lastIndexOf(label) ? label : shorten(names[k], longest)));
}

// Return the rarest words of a name in their order, with … in place of the others.
function rareWords(words, longest, frequency) {
  const order = words.map((_, k) => k).sort((a, b) => frequency(words[a]) - frequency(words[b]) || a - b), kept = new Set();
  const text = (some) => words.map((word, k) => (some.has(k) ? word : "\0")).join("").replace(/[\s_]*\0+/g, "…").trim();
  let best = "";
  for (const k of order) {
    const tried = text(new Set(kept).add(k));
    if ([...tried].length <= longest) {
      kept.add(k);
      best = tried;
    } else if (!best) return shorten(text(kept.add(k)), longest);
  }
  return best;
}

export function awareness(a, b, [knowsA, knowsB]) {
  if (knowsA && knowsB) return inWords("both ends aware");
  return knowsA || knowsB ? inWords("{a} aware of {b}", knowsA ? { a, b } : { a: b, b: a }) : "";
}
