// Scale of the curve above the slider.

export const SCALE_ENDS = [0.08, 0.92]; // shares of the curve's height
const PROBABILITY_MARKS = [1e-6, 1e-4, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999, 0.999999];
const LOG_P_MARKS = [-1, -2, -3, -5, -10, -20, -50, -100, -200, -500];

// Return functions between values and vertical positions (shares of the curve's height), and the axis marks.
export function scaleOf({ values, log, probability, log_p }) {
  const [stretch, relax] = probability ? [(v) => Math.log(v / (1 - v)), (s) => 1 / (1 + Math.exp(-s))]
    : log_p ? [(v) => -Math.log(1 - v), (s) => 1 - Math.exp(-s)] : [log ? Math.log10 : (v) => v, (s) => s];
  const known = values.filter((v) => v != null && !(log && v <= 0));
  let low = known.reduce((x, y) => Math.min(x, y), Infinity), high = known.reduce((x, y) => Math.max(x, y), -Infinity);
  // A log-odds scale covers at least 0.01 to 0.99, but never 0 or 1, which lie at infinity.
  const [least, most] = [PROBABILITY_MARKS[0], PROBABILITY_MARKS.at(-1)];
  if (probability) [low, high] = [Math.max(least, Math.min(low, 0.01)), Math.min(most, Math.max(high, 0.99))];
  if (log_p) low = 1.2 * low; // space for a threshold below the smallest value
  const bottom = stretch(low), room = stretch(high) - bottom || 1;
  const [top, end] = SCALE_ENDS, span = end - top;
  const at = (v) => end - (span * (stretch(Math.max(low, Math.min(high, v))) - bottom)) / room;
  const back = (y) => relax(bottom + (room * (end - Math.max(top, Math.min(end, y)))) / span);
  const inside = (marks) => marks.filter((v) => v >= low && v <= high);
  const marks = probability ? spread([0.5, ...inside(PROBABILITY_MARKS)], at) : log_p ? spread(inside(LOG_P_MARKS), at) : null;
  return { at, back, marks };
}

// Keep marks that do not overlap; earlier marks have priority.
function spread(marks, at) {
  const kept = [];
  for (const v of marks) if (kept.every((w) => Math.abs(at(v) - at(w)) > 0.17)) kept.push(v);
  return kept;
}

export function curveOf({ values, log, probability }, { at }) {
  let pen = "M";
  return values.map((v, k) => {
    const gap = v == null || (log && v <= 0);
    // The curve connects known probabilities across gaps.
    if (gap && probability) return "";
    if (gap) return (pen = "M"), "";
    const next = values[k + 1], lone = pen === "M" && (next == null || (log && next <= 0)) && !probability ? "h0" : "";
    const point = `${pen}${k} ${at(v).toFixed(4)}${lone}`;
    pen = "L";
    return point;
  }).join("");
}
