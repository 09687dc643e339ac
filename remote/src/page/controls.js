// Controls that fit the shapes of values. A control has an element, and `set`, which shows a new value.

import { button, fill, h, keep, tried, weak } from "./dom.js";
import { pick } from "./main.js";

const variant = ([name, { kind, sample }]) => kind === "unit" || kind === "unknown" ? name : { [name]: sample };
const nameOf = (value) => typeof value === "string" ? value : Object.keys(value ?? {})[0];

/** Makes a control. `edit(path, change)` replaces what is at the path by what `change` makes of it. */
export function control(shape, path, edit) {
  switch (shape.kind) {
    case "newtype": return control(shape.of, path, edit);
    case "unit": return { element: weak("no fields"), set() {} };
    case "bool": return flag(path, edit);
    case "uint": case "int": case "float": return numeric(shape.kind, path, edit);
    case "text": return text(path, edit);
    case "entity": return handle(path, edit);
    case "option": return rebuilt((value) => value != null, (has) => option(shape, path, edit, has));
    case "struct": return fields(shape.of.map(([name, part]) => [name, control(part, `${path}.${name}`, edit)]));
    case "tuple": return fields(shape.of.map((part, at) => [at, control(part, `${path}.${at}`, edit)]));
    case "list": return rebuilt((value) => value.length, (length) => list(shape, path, edit, length));
    case "enum": return rebuilt(nameOf, (name) => choice(shape, path, edit, name));
    default: return json(path, edit);
  }
}

/** An input that shows what the world has, unless something is typed into it. A text that cannot be read is marked. */
function input(element, path, edit, read, write) {
  const { classList } = element, isTyped = element.type === "text" || element.type === "number";
  let latest, shown;
  element.onchange = tried(async () => {
    classList.add("wrong");
    const value = read(element);
    classList.remove("wrong");
    await edit(path, () => value);
    shown = undefined; // it may have been refused
  });
  element.onkeydown = (event) => {
    if (event.key === "Escape") {
      classList.remove("wrong");
      write(element, shown = latest);
    }
    if (isTyped && ["Escape", "Enter"].includes(event.key)) element.blur();
  };
  const set = (value) => {
    latest = value;
    const isKept = classList.contains("wrong") || isTyped && document.activeElement === element;
    if (isKept || JSON.stringify(value) === JSON.stringify(shown)) return;
    classList.remove("fresh");
    if (shown !== undefined) requestAnimationFrame(() => classList.add("fresh"));
    write(element, shown = value);
  };
  return { element, set };
}

const flag = (path, edit, read = (it) => it.checked) =>
  input(h("input", { type: "checkbox" }), path, edit, read, (it, value) => { it.checked = value; });

/** A number as it is written, which may have more digits than JavaScript keeps. */
const exact = (text) => Number.isSafeInteger(Number(text)) || !/^-?\d+$/.test(text) ? Number(text) : JSON.rawJSON?.(text) ?? Number(text);

const numeric = (kind, path, edit) =>
  input(h("input", { type: "number", step: kind === "float" ? "any" : 1, ...kind === "uint" && { min: 0 } }), path, edit,
    (it) => it.value === "" ? null : exact(it.value), (it, value) => { it.value = value?.rawJSON ?? value ?? ""; });

const text = (path, edit, read = (it) => it.value, show = (value) => value ?? "") =>
  input(h("input", { type: "text", spellcheck: false }), path, edit, read, (it, value) => { it.value = show(value); });

/** Any value, as JSON. */
export const json = (path, edit) => text(path, edit, (it) => JSON.parse(it.value), JSON.stringify);

function handle(path, edit) {
  const { element, set } = text(path, edit);
  const go = button("→", () => pick(element.value), { className: "plain", title: "Show this entity" });
  return { element: h("div", { className: "line" }, fill(element, { placeholder: "12v3" }), go), set };
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
  return { element, set: (value) => keep(element, [value], key, (value) => make(key(value))) };
}

function option(shape, path, edit, has) {
  const box = flag(path, edit, (it) => it.checked ? shape.of.sample : null);
  const inner = has ? control(shape.of, path, edit) : { element: weak("none"), set() {} };
  const set = (value) => {
    box.set(value != null);
    inner.set(value);
  };
  return { element: h("div", { className: "line" }, fill(box.element, { title: "Is there a value?" }), inner.element), set };
}

/** The paths of long lists that are shown. */
const unfolded = new Set();

function list(shape, path, edit, length) {
  const parts = Array.from({ length: Math.min(length, 50) }, (_, at) => control(shape.of, `${path}.${at}`, edit));
  const plain = { className: "plain" };
  const rows = parts.map(({ element }, at) => h("div", { className: "line" }, element,
    button("×", () => edit(path, (now) => now.toSpliced(at, 1)), { ...plain, title: "Remove" })));
  const more = length > 50 ? weak(`and ${length - 50} more`) : null;
  const unfold = h("details", { open: length <= 8 || unfolded.has(path) }, h("summary", { className: "weak" }, `${length} items`), rows, more);
  unfold.ontoggle = () => unfolded[unfold.open ? "add" : "delete"](path);
  const add = button("+ add", () => edit(path, (now) => [...now, shape.of.sample]), plain);
  return { element: h("div", { className: "nest" }, unfold, add), set: (value) => parts.forEach((part, at) => part.set(value[at])) };
}

function choice(shape, path, edit, name) {
  const options = shape.of.map(([value]) => h("option", { value }, value)), find = (name) => shape.of.find(([it]) => it === name);
  const select = input(h("select", {}, options), path, edit, (it) => variant(find(it.value)), (it, value) => { it.value = value; });
  const inside = find(name)?.[1];
  const inner = !inside || inside.kind === "unit" ? null : control(inside, `${path}.${name}`, edit);
  const set = (value) => {
    select.set(name);
    inner?.set(value[name]);
  };
  return { element: h("div", {}, select.element, inner && h("div", { className: "nest" }, inner.element)), set };
}
