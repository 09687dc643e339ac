// Elements. Data of the world goes through text and values only, never through HTML.

export const $ = (id) => document.getElementById(id);

/** Makes an element with properties, attributes (`aria-..`, `data-..`, `role`), and children. */
export const h = (name, properties, ...children) => fill(document.createElement(name), properties, children);

/** Makes an element of SVG with attributes, and children. */
export const s = (name, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/** Sets the properties of an element that differ, and adds children. */
export function fill(element, properties, children = []) {
  for (const [key, value] of Object.entries(properties ?? {})) {
    const isAttribute = element instanceof SVGElement || key === "role" || key.includes("-");
    // An option without the attribute has its text as its value, so an empty value is set as well.
    if (isAttribute || element instanceof HTMLOptionElement && key === "value") element.setAttribute(key, value);
    else if (key === "style") Object.assign(element.style, value);
    else if (element[key] !== value) element[key] = value;
  }
  element.append(...children.flat(Infinity).filter((child) => child != null));
  return element;
}

/**
 * Shows items below a parent, in their order. Each has a part, an `element` and a function `set` that shows the item, which
 * stays as long as there is an item of its key: so what is clicked, focused or selected is not replaced meanwhile.
 */
export function keep(parent, items, key, make) {
  const before = parent.parts ?? new Map();
  parent.parts = new Map(items.map((item) => [key(item), before.get(key(item)) ?? make(item)]));
  for (const [name, { element }] of before) if (!parent.parts.has(name)) element.remove();
  [...parent.parts.values()].forEach(({ element }, at) => {
    if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] ?? null);
  });
  for (const item of items) parent.parts.get(key(item)).set(item);
}

/** A table. `set` shows lines: a name, the cells behind it, and what stands in the place of the name; or `none` if there are none. */
export function table(none, ...heads) {
  const head = h("thead", {}, h("tr", {}, heads.map((text) => h("th", {}, text)))), body = h("tbody");
  const line = ([name, , title]) => {
    const cells = heads.slice(1).map(() => h("td"));
    const set = ([, values]) => values.forEach((value, at) => cells[at].textContent === value || cells[at].replaceChildren(value));
    return { element: h("tr", {}, h("td", {}, title ?? name), cells), set };
  };
  return { element: h("div", {}, h("table", {}, head, body), weak(none)), set: (lines) => keep(body, lines, ([name]) => name, line) };
}

/** Shows the options of a select. */
export const offer = (select, values, text) => keep(select, values, String, (value) => ({ element: h("option", { value }, text(value)), set() {} }));

/** Shows what went wrong, or a text, for some seconds. */
export function note(error) {
  const shown = h("div", { className: error instanceof Error ? "wrong" : "" }, error.message ?? String(error));
  $("notes").append(shown);
  setTimeout(() => shown.remove(), 6000);
}

/** Wraps a handler so that its errors are shown; it returns `undefined` then. */
export const tried = (handler) => async (...values) => {
  try {
    return await handler(...values);
  } catch (error) {
    note(error);
  }
};

export const button = (text, run, properties) => h("button", { ...properties, onclick: tried(run) }, text);
export const weak = (...children) => h("span", { className: "weak" }, ...children);
export const card = (title, ...children) => h("section", { className: "card" }, h("h3", {}, title), ...children);

export const bytes = (count) =>
  count < 1e3 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
export const number = (count) => count.toLocaleString("en");
