// Elements. Data of the world goes through text and values only, never through HTML.

export const $ = (id) => document.getElementById(id);

/** Makes an element with properties, attributes (`aria-..`, `data-..`, `role`), and children. */
export function h(name, properties, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** Makes an element of SVG with attributes, and children. */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (element instanceof SVGElement || key === "role" || key.includes("-")) element.setAttribute(key, value);
    else if (key === "style") Object.assign(element.style, value);
    else element[key] = value;
  }
  element.append(...children.flat(Infinity).filter((child) => child != null));
  return element;
}

/** Shows what went wrong, for some seconds. */
export function note(error) {
  const shown = h("div", {}, error.message ?? String(error));
  $("notes").append(shown);
  setTimeout(() => shown.remove(), 6000);
}

/** Wraps a handler so that its errors are shown. */
export const tried = (handler) => async (...values) => {
  try {
    return await handler(...values);
  } catch (error) {
    note(error);
  }
};

export const bytes = (count) =>
  count < 1e3 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
export const number = (count) => count.toLocaleString("en");
