// Controls that fit the shapes of values. A control has an element, and `set`, which shows a new value.

import { h } from "./dom.js";
import { pick } from "./main.js";

/** Returns a value of a shape to begin with. */
export function sample(shape) {
  switch (shape.kind) {
    case "bool": return false;
    case "uint": case "int": case "float": return 0;
    case "text": return "";
    case "entity": return "4294967295v2147483647"; // nobody
    case "list": return [];
    case "map": return {};
    case "tuple": return shape.of.map((part) => sample(part));
    case "newtype": return sample(shape.of);
    case "struct": return Object.fromEntries(shape.fields.map(([name, part]) => [name, sample(part)]));
    case "enum": return variant(shape.variants[0]);
    default: return null;
  }
}

function variant([name, shape]) {
  return shape.kind === "unit" || shape.kind === "unknown" ? name : { [name]: sample(shape) };
}

/** Makes a control. `edit(path, value, before)` carries an edit out. */
export function control(shape, path, edit) {
  switch (shape.kind) {
    case "newtype": return control(shape.of, path, edit);
    case "unit": return { element: h("span", { className: "weak" }, "no fields"), set() {} };
    case "bool": return flag(path, edit);
    case "uint": case "int": case "float": return numeric(shape.kind, path, edit);
    case "text": return text(path, edit);
    case "entity": return handle(path, edit);
    case "option": return rebuilt((value) => value === null ? "none" : "some", (value) => option(shape, path, edit, value));
    case "struct": return fields(shape.fields.map(([name, part]) => [name, control(part, `${path}.${name}`, edit)]));
    case "tuple": return fields(shape.of.map((part, at) => [at, control(part, `${path}.${at}`, edit)]));
    case "list": return rebuilt((value) => value?.length, (value) => list(shape, path, edit, value));
    case "enum": return rebuilt((value) => typeof value === "string" ? value : Object.keys(value ?? {})[0], (value) => choice(shape, path, edit, value));
    default: return json(path, edit);
  }
}

function input(properties, path, edit, read, write) {
  let before;
  const element = h("input", properties);
  element.onchange = () => edit(path, read(element), before);
  element.onkeydown = (event) => {
    if (event.key === "Enter") element.blur();
    if (event.key === "Escape") { write(element, before); element.blur(); }
  };
  return {
    element,
    set(value) {
      if (JSON.stringify(value) === JSON.stringify(before) || document.activeElement === element) return;
      if (before !== undefined) {
        element.classList.remove("fresh");
        requestAnimationFrame(() => element.classList.add("fresh"));
      }
      before = value;
      write(element, value);
    },
  };
}

const flag = (path, edit) =>
  input({ type: "checkbox" }, path, edit, (it) => it.checked, (it, value) => { it.checked = value; });

const numeric = (kind, path, edit) =>
  input({ type: "number", step: kind === "float" ? "any" : 1, ...(kind === "uint" && { min: 0 }) }, path, edit,
    (it) => it.value === "" ? null : Number(it.value), (it, value) => { it.value = value ?? ""; });

const text = (path, edit, more) =>
  input({ type: "text", spellcheck: false, ...more }, path, edit, (it) => it.value, (it, value) => { it.value = value ?? ""; });

function handle(path, edit) {
  const field = text(path, edit, { placeholder: "12v3", pattern: "\\d+v\\d+" });
  const go = h("button", { className: "plain", title: "Show this entity", onclick: () => pick(field.element.value) }, "→");
  return { element: h("div", { style: { display: "flex" } }, field.element, go), set: field.set };
}

function fields(parts) {
  const element = h("div", { className: "fields" }, parts.map(([name, part]) => {
    part.element.ariaLabel ??= String(name);
    return [h("label", { title: name }, String(name)), h("div", {}, part.element)];
  }));
  return { element, set: (value) => parts.forEach(([name, part]) => part.set(value?.[name])) };
}

/** A control that is made anew when what `key` returns changes. */
function rebuilt(key, make) {
  const element = h("div");
  let inner, made;
  return {
    element,
    set(value) {
      if (inner === undefined || made !== key(value)) {
        made = key(value);
        inner = make(value);
        element.replaceChildren(inner.element);
      }
      inner.set(value);
    },
  };
}

function option(shape, path, edit, value) {
  const has = value !== null && value !== undefined;
  const box = h("input", { type: "checkbox", checked: has, title: "Is there a value?" });
  box.onchange = () => edit(path, box.checked ? sample(shape.of) : null, value);
  const inner = has ? control(shape.of, path, edit) : { element: h("span", { className: "weak" }, "none"), set() {} };
  return { element: h("div", { style: { display: "flex", gap: "8px" } }, box, inner.element), set(next) { value = next; inner.set(next); } };
}

/** The paths of long lists that are shown. */
const unfolded = new Set();

function list(shape, path, edit, value) {
  const parts = value.slice(0, 50).map((_, at) => control(shape.of, `${path}.${at}`, edit));
  let now = value;
  const add = h("button", { className: "plain", onclick: () => edit(path, [...now, sample(shape.of)], now) }, "+ add");
  const rows = parts.map((part, at) => h("div", { style: { display: "flex", gap: "4px" } }, part.element,
    h("button", { className: "plain", title: "Remove", onclick: () => edit(path, now.toSpliced(at, 1), now) }, "×")));
  const more = value.length > 50 ? h("div", { className: "weak" }, `and ${value.length - 50} more`) : null;
  const unfold = h("details", { open: value.length <= 8 || unfolded.has(path) }, h("summary", { className: "weak" }, `${value.length} items`), rows, more);
  unfold.ontoggle = () => unfolded[unfold.open ? "add" : "delete"](path);
  return { element: h("div", { className: "nest" }, unfold, add), set(next) { now = next; parts.forEach((part, at) => part.set(next[at])); } };
}

function choice(shape, path, edit, value) {
  const name = typeof value === "string" ? value : Object.keys(value ?? {})[0];
  let now = value;
  const select = h("select", {}, shape.variants.map(([variant]) => h("option", { value: variant, selected: variant === name }, variant)));
  select.onchange = () => edit(path, variant(shape.variants.find(([it]) => it === select.value)), now);
  const [, inside] = shape.variants.find(([it]) => it === name) ?? [];
  const inner = typeof value === "string" || !inside ? null : control(inside, `${path}.${name}`, edit);
  return { element: h("div", {}, select, inner && h("div", { className: "nest", style: { marginTop: "6px" } }, inner.element)), set(next) { now = next; inner?.set(next[name]); } };
}

/** Any value, as JSON. */
export const json = (path, edit) =>
  input({ title: "JSON" }, path, edit, (it) => JSON.parse(it.value), (it, value) => { it.value = JSON.stringify(value); });
