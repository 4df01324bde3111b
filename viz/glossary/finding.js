// Find terms in text, and text on screen.

const NO_PROSE = "script, style, noscript, code, pre, textarea, iframe, .words, .words-tip";

export function termsIn(text, expression, forms) {
  return [...text.matchAll(expression)].map((found) => {
    const word = found[1].replace(/\s+/g, " ");
    const term = forms[word] ?? forms[word[0].toLowerCase() + word.slice(1)];
    return { start: found.index, end: found.index + found[1].length, term };
  }).filter(({ term }) => term);
}

// Yield every text node below an element, including shadow roots, but not labels inside their SVG graphs.
export function* textsBelow(root, shadow = false) {
  const deeper = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
    if (node.shadowRoot) deeper.push(node.shadowRoot);
    return node.matches(NO_PROSE) || (shadow && node.matches("svg")) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  while (walker.nextNode()) yield walker.currentNode;
  for (const one of deeper) yield* textsBelow(one, true);
}

// Streamlit draws tables on a canvas, whose text content is meant for screen readers.
export function isShown(text) {
  const element = text.parentElement;
  return element != null && (element.closest("canvas") != null || element.checkVisibility({ visibilityProperty: true }));
}

export function caretAt(x, y, shadowRoots) {
  if (document.caretPositionFromPoint) {
    const at = document.caretPositionFromPoint(x, y, { shadowRoots });
    return at && { node: at.offsetNode, offset: at.offset };
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}

export function rangeOf(node, { start, end }) {
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

export function holds(box, x, y) {
  return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
}
