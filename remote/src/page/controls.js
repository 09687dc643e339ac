// Controls that fit the shapes of values. A control has an element, and `set`, which shows a new value.

import { button, fill, h, keep, tried, weak } from "./dom.js";
import { pick } from "./main.js";
import { call, read } from "./rpc.js";

/** Stands in the place of a value that differs among the entities that are edited together. */
export const MIXED = Symbol("mixed");

const variant = ([name, { kind, sample }]) => kind === "unit" || kind === "unknown" ? name : { [name]: sample };
const nameOf = (value) => value === MIXED ? MIXED : typeof value === "string" ? value : Object.keys(value ?? {})[0];
const within = (value, key) => value === MIXED ? MIXED : value?.[key];

/** Makes a control. `edit(path, change)` replaces what is at the path by what `change` makes of it. */
export function control(shape, path, edit) {
  switch (shape.kind) {
    case "newtype": return control({ ...shape.of, ...pickBounds(shape) }, path, edit);
    case "unit": return { element: weak("no fields"), set() {} };
    case "bool": return flag(path, edit);
    case "uint": case "int": case "float": return numeric(shape, path, edit);
    case "text": return text(path, edit);
    case "entity": return handle(path, edit, shape.isOptional);
    case "option": return rebuilt((value) => value === MIXED ? MIXED : value != null, (has) => option(shape, path, edit, has));
    case "struct": return fields(path, shape.of.map(([name, part]) => [name, control(part, `${path}.${name}`, edit)]));
    case "tuple": return fields(path, shape.of.map((part, at) => [at, control(part, `${path}.${at}`, edit)]));
    case "list": return rebuilt((value) => value === MIXED ? MIXED : value.length, (length) => list(shape, path, edit, length));
    case "enum": return rebuilt(nameOf, (name) => choice(shape, path, edit, name));
    default: return json(path, edit);
  }
}

const pickBounds = ({ range, unit }) => ({ ...range && { range }, ...unit && { unit } });
const spelled = (value) => value === MIXED ? "mixed" : JSON.stringify(value);

/** An input that shows what the world has, unless something is typed into it. A text that cannot be read is marked. */
function input(element, path, edit, take, write) {
  const { classList } = element, isTyped = element.matches("textarea, [type=text], [type=number]");
  let latest, shown, hint;
  const change = tried(async () => {
    classList.add("wrong");
    const value = await take(element);
    classList.remove("wrong");
    await edit(path, () => value);
    shown = undefined; // it may have been refused
  });
  element.onchange = () => element.pending = change();
  element.onkeydown = (event) => {
    if (event.key === "Escape") {
      classList.remove("wrong");
      write(element, shown = latest);
    }
    const isDone = event.key === "Escape" || event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (!isTyped || !isDone) return;
    event.preventDefault(); // of a new line in a text
    element.blur();
  };
  const set = (value) => {
    latest = value;
    const isKept = classList.contains("wrong") || isTyped && document.activeElement === element;
    if (isKept || shown !== undefined && spelled(value) === spelled(shown)) return;
    classList.remove("fresh");
    if (shown !== undefined) requestAnimationFrame(() => classList.add("fresh"));
    write(element, shown = value);
    hint ??= element.placeholder;
    if (isTyped) element.placeholder = value === MIXED ? "mixed" : hint;
  };
  return { element, set };
}

const flag = (path, edit, take = (it) => it.checked) => input(h("input", { type: "checkbox" }), path, edit, take,
  (it, value) => Object.assign(it, { checked: value === true, indeterminate: value === MIXED }));

/** A number as it is written, which may have more digits than JavaScript keeps. */
const exact = (text) => /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? JSON.rawJSON?.(text) ?? Number(text) : Number(text);
const digits = (value) => value?.rawJSON ?? value ?? "";

/** The least and the greatest whole number of a type such as `u8`. */
function limits(type) {
  const bits = BigInt(type.slice(1)), isSigned = type[0] === "i";
  return isSigned ? [-(1n << bits - 1n), (1n << bits - 1n) - 1n] : [0n, (1n << bits) - 1n];
}

/** Returns the number that is typed. Throws why it is none, or none of the type, or out of the declared range. */
function typed(element, { kind, number, range }) {
  const text = element.value.trim(), value = Number(text);
  if (!text || element.validity.badInput || Number.isNaN(value)) throw new Error("this is not a number: type one, such as 12");
  if (kind !== "float") {
    if (!Number.isInteger(value)) throw new Error(`${text} is not a whole number: this is a ${number}`);
    const whole = BigInt(/^-?\d+$/.test(text) ? text : value), [least, most] = limits(number);
    if (whole < least || whole > most) throw new Error(`${text} is beyond ${number}: from ${least} to ${most}`);
  } else if (!Number.isFinite(number === "f32" ? Math.fround(value) : value)) {
    throw new Error(`${text} is beyond ${number}`);
  }
  if (range && !isWithin(text, range)) throw new Error(`${text} is out of range: ${range.text} was declared`);
  return exact(text);
}

const order = (a, b) => /^-?\d+$/.test(a) && /^-?\d+$/.test(b) ? Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b)) : a - b;
const isWithin = (text, { from, to, is_end_excluded: isOpen }) =>
  (from == null || order(text, from) >= 0) && (to == null || order(text, to) < 0 || !isOpen && order(text, to) === 0);

function numeric(shape, path, edit) {
  const { kind, range, unit } = shape, step = kind === "float" ? "any" : 1;
  const bounds = { min: range?.from ?? (kind === "uint" ? "0" : ""), max: range?.to ?? "", step };
  const element = h("input", { type: "number", placeholder: "not finite", ...bounds });
  const { set } = input(element, path, edit, (it) => typed(it, shape), (it, value) => { it.value = value === MIXED ? "" : digits(value); });
  const { onkeydown } = element;
  element.onkeydown = (event) => {
    // The browser's own steps round whole numbers of many digits.
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !/^-?\d+$/.test(element.value)) return onkeydown(event);
    event.preventDefault();
    const next = String(BigInt(element.value) + BigInt(by));
    if (!range || isWithin(next, range)) element.value = next;
  };
  const isSlid = range?.from != null && range?.to != null;
  if (!isSlid && !unit) return { element, set };
  const slider = isSlid ? h("input", { type: "range", ...bounds, ariaLabel: "slider" }) : null;
  if (slider) {
    slider.oninput = () => { element.value = kind === "float" ? Number(Number(slider.value).toPrecision(5)) : slider.value; };
    slider.onchange = () => element.onchange();
  }
  const both = (value) => {
    set(value);
    if (slider && document.activeElement !== slider) slider.value = value === MIXED ? range.from : digits(value);
  };
  return { element: h("div", { className: "line" }, slider, element, unit && weak(unit)), set: both };
}

/** A text of any number of lines. Return ends it, and begins a new line if the shift key is down. */
function text(path, edit) {
  // An input takes carriage returns away, so a text that has some is shown as JSON.
  let isEscaped = false;
  const element = h("textarea", { rows: 1, spellcheck: false, title: "Shift+Enter begins a new line" });
  const fit = () => { element.rows = Math.min(8, element.value.split("\n").length); };
  element.oninput = fit;
  return input(element, path, edit, (it) => isEscaped ? read(it.value) : it.value, (it, value) => {
    isEscaped = /[\r\0]/.test(String(value));
    it.value = value === MIXED ? "" : isEscaped ? JSON.stringify(value) : value ?? "";
    fit();
  });
}

/** Any value, as JSON. */
export const json = (path, edit) => input(h("textarea", { rows: 1, spellcheck: false, title: "JSON" }), path, edit,
  (it) => read(it.value), (it, value) => { it.value = value === MIXED ? "" : JSON.stringify(value) ?? ""; });

/** Returns the handle that is typed, or the one of the entity that has the typed name. */
async function handleOf(text) {
  if (/^\d+v\d+$/.test(text)) return text;
  const { rows } = text ? await call("ecs.entities", { text }) : { rows: [] }, named = rows.filter((row) => row.name === text);
  if (named.length === 1) return named[0].entity;
  throw new Error(`${named.length || "no"} entities are called "${text}": type a handle such as 12v3, or the name of one entity`);
}

function handle(path, edit, isOptional) {
  const { element, set } = input(h("input", { type: "text", spellcheck: false, placeholder: "12v3, or a name" }), path, edit,
    (it) => isOptional && !it.value.trim() ? null : handleOf(it.value.trim()), (it, value) => { it.value = value === MIXED ? "" : value ?? ""; });
  const go = button("→", () => pick(element.value), { className: "plain", title: "Show this entity" });
  return { element: h("div", { className: "line" }, element, go), set };
}

function fields(path, parts) {
  const element = h("div", { className: "fields" }, parts.map(([name, part]) => {
    part.element.ariaLabel ??= String(name);
    return [h("label", { title: name, "data-path": `${path}.${name}` }, String(name)), h("div", {}, part.element)];
  }));
  return { element, set: (value) => parts.forEach(([name, part]) => part.set(within(value, name))) };
}

/** A control that is made anew when what `key` returns changes. */
function rebuilt(key, make) {
  const element = h("div");
  return { element, set: (value) => keep(element, [value], key, (value) => make(key(value))) };
}

function option(shape, path, edit, has) {
  const box = flag(path, edit, (it) => it.checked ? shape.of.sample : null);
  const inner = has === true ? control(shape.of, path, edit) : { element: weak(has === MIXED ? "mixed" : "none"), set() {} };
  const set = (value) => {
    box.set(value === MIXED ? MIXED : value != null);
    inner.set(value);
  };
  return { element: h("div", { className: "line" }, fill(box.element, { title: "Is there a value?" }), inner.element), set };
}

/** The paths of long lists that are shown. */
const unfolded = new Set();

function list(shape, path, edit, length) {
  if (length === MIXED) return { element: weak("mixed: lists of different lengths"), set() {} };
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
  const select = input(h("select", {}, options), path, edit, (it) => variant(find(it.value)), (it, value) => {
    if (value === MIXED) it.selectedIndex = -1;
    else it.value = value;
  });
  const inside = find(name)?.[1];
  const inner = !inside || inside.kind === "unit" ? null : control(inside, `${path}.${name}`, edit);
  const set = (value) => {
    select.set(name);
    inner?.set(value[name]);
  };
  return { element: h("div", {}, select.element, inner && h("div", { className: "nest" }, inner.element)), set };
}
