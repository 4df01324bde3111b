// Elements of a text that Python parsed. All texts become text nodes.

import { html } from "../graph_view/elements.js";

const TAGS = new Set(["p", "h2", "h3", "h4", "h5", "ul", "ol", "li", "table", "tr", "th", "td", "pre", "strong", "em", "code", "span"]);

export function elementsOf(trees) {
  return trees.map((tree) => {
    if (typeof tree === "string") return tree;
    const [tag, ...rest] = tree;
    if (tag === "a") return html("a", { href: rest[0], rel: "noreferrer", target: "_blank" }, ...elementsOf(rest.slice(1)));
    const made = html(TAGS.has(tag) ? tag : "span", {}, ...elementsOf(rest));
    return tag === "table" ? html("div", { class: "wide" }, made) : made;
  });
}

// Return a template with its fields filled, such as "Step {k} of {n}".
export function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (field, name) => (Object.hasOwn(values, name) ? values[name] : field));
}
