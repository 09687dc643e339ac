// One entity: its components, each with a control that fits its type.

import { $, button, fill, h, keep, offer, tried, weak } from "./dom.js";
import { call } from "./rpc.js";
import { pick, state } from "./main.js";
import { control } from "./controls.js";
import { despawn, insert, mutate, remove, reparent } from "./undo.js";

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
  const entity = state.picked;
  return !entity ? [] : [["ecs.entity", { entity },
    (found) => { if (entity === state.picked) keep($("details"), [found], () => entity, () => makeEntity(entity)); },
    () => { if (entity === state.picked) empty(`${entity} is not alive any more.`); }]];
}

function shape(name) {
  if (!shapes.has(name)) {
    shapes.set(name, call("ecs.shapes", { components: [name] }).then((found) => found[name]));
    shapes.get(name).catch(() => shapes.delete(name));
  }
  return shapes.get(name);
}

function makeEntity(entity) {
  const title = h("h2"), pointed = weak(), add = h("select", { title: "Add a component" }), cards = h("div", { className: "cards" });
  const parent = control({ kind: "entity" }, "", (_, change) => reparent(entity, change() || null));
  fill(parent.element.firstChild, { ariaLabel: "Parent", placeholder: "none" });
  add.onchange = tried(async () => {
    const name = add.value, pool = state.pools.find((it) => it.name === name);
    add.value = "";
    await insert(entity, name, pool.default ? undefined : (await shape(name)).sample);
  });
  const element = h("div", {}, h("div", { className: "head" }, title, weak(entity), pointed),
    h("div", { className: "head" }, add, h("label", { className: "parent" }, "in", parent.element), h("span", { className: "fill" }),
      button("Despawn", () => despawn(entity), { className: "danger" })), cards);
  const set = ({ line, pointed_by, components }) => {
    fill(title, { textContent: line.name ?? "unnamed" });
    fill(pointed, { textContent: pointed_by.map((it) => `${it.count} by ${it.relation}`).join(", ") });
    parent.set(line.parent ?? "");
    const addable = state.pools.filter((pool) => (pool.default || pool.saved_as) && components.every((it) => it.name !== pool.name));
    offer(add, ["", ...addable.map((pool) => pool.name)], (name) => name || "+ component");
    keep(cards, components, (it) => it.name, (it) => makeCard(entity, it));
  };
  return { element, set };
}

function makeCard(entity, { name, is_saved }) {
  const body = h("div"), to = button("", () => pick(now.target), { className: "link" });
  const edit = (path, change) => mutate(entity, name, path, change);
  let inner = null, now = null;
  const begin = (found) => {
    if (inner) return;
    const text = h("pre", { className: "weak" });
    const set = (value) => fill(text, { textContent: value ?? "not shown: it is neither saved nor printed" });
    inner = found ? control(found, "", edit) : { element: text, set };
    inner.element.ariaLabel ??= name;
    body.append(inner.element);
    inner.set(now.value);
  };
  const set = (component) => {
    now = component;
    fill(to, { hidden: is_saved || !now.target, textContent: `→ ${now.target}` });
    if (inner) inner.set(now.value);
    else if (is_saved) shape(name).then(begin, () => {}); // asked for again with the next value
    else begin(null);
  };
  const cross = button("×", () => remove(entity, name), { className: "plain", title: `Remove ${name}` });
  const head = h("div", { className: "head" }, h("h3", {}, name), to, cross);
  return { element: h("section", { className: "card", "data-component": name }, head, body), set };
}
