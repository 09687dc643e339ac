// One entity, or several that are marked: their components, each with a control that fits its type.

import { $, button, fill, h, keep, offer, tried, weak } from "./dom.js";
import { call } from "./rpc.js";
import { pick, state } from "./main.js";
import { find, mark } from "./list.js";
import { MIXED, control } from "./controls.js";
import { despawn, despawnAll, insert, insertDefault, mutate, mutateAll, part, remove, reparent } from "./undo.js";

const shapes = new Map();

/** Shows a text in the place of an entity. */
const empty = (text) => keep($("details"), [text], String, () => ({ element: h("div", { className: "empty" }, text), set() {} }));

export const reset = () => empty(state.picked ? `looking for ${state.picked}` : "Pick an entity to see its components.");

/** Forgets the shapes of types: another program may have others. */
export function forget() {
  shapes.clear();
  reset();
}

export function calls() {
  const entity = state.picked, entities = [...state.marked];
  const showMarked = (found) => { if (state.marked.size) keep($("details"), [found], () => "", makeMarked); };
  if (entities.length) return [["ecs.selection", { entities }, showMarked]];
  return !entity ? [] : [["ecs.entity", { entity },
    (found) => { if (entity === state.picked && !state.marked.size) keep($("details"), [found], () => entity, () => makeEntity(entity)); },
    () => { if (entity === state.picked) empty(`${entity} is not alive any more.`); }]];
}

/** Returns the version of the fields of a component that is defined while the program runs; of others nothing. */
export const version = (name) => state.pools.find((pool) => pool.name === name)?.defined ?? "";

/** Returns the shape of a component, or of a resource. */
export function shape(name, of = "components") {
  const key = `${of} ${name} ${of === "components" ? version(name) : ""}`;
  if (!shapes.has(key)) {
    shapes.set(key, call("ecs.shapes", { [of]: [name] }).then((found) => found[name]));
    shapes.get(key).catch(() => shapes.delete(key));
  }
  return shapes.get(key);
}

/** Returns `true` if a first value is refused, or means nothing, before somebody chooses it: the target of a relation. */
const isToBeChosen = ({ kind, of }) => kind === "entity" || kind === "unknown" || kind === "newtype" && isToBeChosen(of)
  || kind === "struct" && of.some(([, part]) => isToBeChosen(part)) || kind === "tuple" && of.some(isToBeChosen);

/** Returns the first value of a shape, with no text in the places of handles. */
function firstValue({ kind, of, sample }) {
  if (kind === "entity") return "";
  if (kind === "newtype") return firstValue(of);
  if (kind === "tuple") return of.map(firstValue);
  return kind === "struct" ? Object.fromEntries(of.map(([name, part]) => [name, firstValue(part)])) : sample;
}

/** Returns a value with another one at a path. */
function replaced(value, [key, ...path], change) {
  if (key === undefined) return change(value);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(value[key], path, change);
  return copy;
}

/** Makes a select of components to be added. A component that needs a value has a card for it before it is added. */
function makeAdder(drafts, entities) {
  const select = h("select", { title: "Add a component" });
  select.onchange = tried(async () => {
    const name = select.value, pool = state.pools.find((it) => it.name === name);
    select.value = "";
    if (pool.default && entities().length === 1) return insertDefault(entities()[0], name);
    const found = await shape(name);
    if (!pool.relation && !isToBeChosen(found)) return insert(entities(), name, found.sample);
    let value = firstValue(found);
    const inner = control(found, "", (path, change) => {
      value = replaced(value, path.split(".").slice(1), change);
      inner.set(value);
    });
    inner.element.ariaLabel ??= name;
    const end = () => card.remove();
    const add = button("Add", async () => {
      await Promise.all([...card.querySelectorAll("input, textarea, select")].map((it) => it.pending));
      if (!card.querySelector(".wrong") && await insert(entities(), name, value)) end();
    });
    const cancel = button("×", end, { className: "plain", title: "Cancel" });
    const head = h("div", { className: "head" }, h("h3", {}, name), h("span", { className: "fill" }), add, cancel);
    const card = h("section", { className: "card draft", "data-draft": name }, head, inner.element);
    inner.set(value);
    drafts.replaceChildren(card);
    card.querySelector("input, textarea, select")?.focus();
  });
  return { element: select, set: (has) => {
    const addable = state.pools.filter((pool) => (pool.default && entities().length === 1 || pool.saved_as) && !has.includes(pool.name));
    offer(select, ["", ...addable.map((pool) => pool.name)], (name) => name || "+ component");
  } };
}

const names = (components) => components.map((it) => it.name);

/** A component whose fields changed has another card. */
const keyOf = ({ name }) => `${name} ${version(name)}`;

function makeEntity(entity) {
  const title = h("h2"), pointed = weak(), cards = h("div", { className: "cards" }), drafts = h("div", { className: "cards" });
  const parent = control({ kind: "entity", isOptional: true }, "", (_, change) => reparent(entity, change()));
  fill(parent.element.firstChild, { ariaLabel: "Parent", placeholder: "none" });
  const add = makeAdder(drafts, () => [entity]);
  const element = h("div", {}, h("div", { className: "head" }, title, weak(entity), pointed),
    h("div", { className: "head" }, add.element, h("label", { className: "parent" }, "in", parent.element), h("span", { className: "fill" }),
      button("Despawn", () => despawn(entity), { className: "danger" })), drafts, cards);
  const set = ({ line, pointed_by, components }) => {
    fill(title, { textContent: line.name ?? "unnamed" });
    fill(pointed, { textContent: pointed_by.map((it) => `${it.count} by ${it.relation}`).join(", ") });
    parent.set(line.parent ?? "");
    add.set(names(components));
    const make = ({ name, is_saved }) => makeCard(name, is_saved, (path, change) => mutate(entity, name, path, change), () => remove(entity, name));
    keep(cards, components, keyOf, make);
  };
  return { element, set };
}

/** Puts a mark in the places where the values of marked entities differ. */
const blended = (value, paths) => paths.reduce((value, path) => replaced(value, path.split(".").slice(1), () => MIXED), value);

function makeMarked() {
  const title = h("h2"), about = weak(), cards = h("div", { className: "cards" }), drafts = h("div", { className: "cards" });
  const entities = () => [...state.marked];
  const add = makeAdder(drafts, entities);
  const head = h("div", { className: "head" }, add.element, h("span", { className: "fill" }), button("Select none", () => mark([])),
    button("Despawn all", () => despawnAll(entities()), { className: "danger" }));
  const set = ({ entities: alive, compared, components }) => {
    if (alive.length < state.marked.size) mark(alive);
    fill(title, { textContent: `${alive.length} entities` });
    const rest = compared < alive.length ? `, and the values of ${compared} of them` : "";
    fill(about, { textContent: `the components that all of them have${rest}` });
    add.set(names(components));
    const make = ({ name, is_saved }) => makeCard(name, is_saved, (path, change) => mutateAll(entities(), name, path, change));
    keep(cards, components.map((it) => ({ ...it, value: blended(it.value, it.mixed) })), keyOf, make);
  };
  return { element: h("div", {}, h("div", { className: "head" }, title, about), head, drafts, cards), set };
}

function makeCard(name, is_saved, edit, cut) {
  const body = h("div"), why = weak(), to = button("", () => pick(now.target), { className: "link" });
  let inner = null, now = null;
  const begin = (found) => {
    if (inner) return;
    const text = h("pre", { className: "weak" });
    const set = (value) => fill(text, { textContent: value === MIXED ? "mixed" : value ?? "not shown: it is neither saved nor printed" });
    inner = found ? control(found, "", edit) : { element: text, set };
    inner.element.ariaLabel ??= name;
    body.append(inner.element);
    inner.set(now.value);
  };
  const set = (component) => {
    now = component;
    fill(to, { hidden: is_saved || !now.target, textContent: `→ ${now.target}` });
    [[why, !now.error], [body, Boolean(now.error)]].forEach(([element, hidden]) => fill(element, { hidden }));
    if (now.error) return fill(why, { textContent: now.error.message });
    if (inner) inner.set(now.value);
    else if (is_saved) shape(name).then(begin, () => {}); // asked for again with the next value
    else begin(null);
  };
  body.onpointerover = ({ target }) => { if (target.dataset?.path) fill(target, { title: "Find all entities with this value" }); };
  body.onclick = ({ target }) => {
    const path = target.dataset?.path, value = path !== undefined && part(now.value, path);
    if (path !== undefined && value !== MIXED) find(`${name}${path}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  };
  const cross = cut && button("×", cut, { className: "plain", title: `Remove ${name}` });
  const head = h("div", { className: "head" }, h("h3", {}, name), to, cross);
  return { element: h("section", { className: "card", "data-component": name }, head, why, body), set };
}
