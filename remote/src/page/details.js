// One entity: its components, each with a control that fits its type.

import { $, button, fill, h, keep, tried, weak } from "./dom.js";
import { call } from "./rpc.js";
import { pick, state } from "./main.js";
import { control } from "./controls.js";
import { despawn, insert, mutate, remove, reparent } from "./undo.js";

const shapes = new Map();
/** What shows the picked entity, once it has come. */
let shown = null;

/** Shows a text in the place of an entity. */
function empty(text) {
  shown = null;
  $("details").replaceChildren(h("div", { className: "empty" }, text));
}

export const reset = () => empty(state.picked ? `looking for ${state.picked}` : "Pick an entity to see its components.");

/** Forgets the shapes of types: another program may have others. */
export function forget() {
  shapes.clear();
  reset();
}

export function calls() {
  const entity = state.picked;
  if (!entity) return [];
  const isPicked = () => entity === state.picked;
  return [["ecs.entity", { entity },
    (found) => { if (isPicked()) (shown ??= show(entity))(found); },
    () => { if (isPicked()) empty(`${entity} is not alive any more.`); }]];
}

function shape(name) {
  if (!shapes.has(name)) {
    shapes.set(name, call("ecs.shapes", { components: [name] }).then((found) => found[name]));
    shapes.get(name).catch(() => shapes.delete(name));
  }
  return shapes.get(name);
}

/** Makes what shows an entity. */
function show(entity) {
  const title = h("h2"), pointed = weak(), add = h("select", { title: "Add a component" }), cards = h("div", { className: "cards" });
  const parent = control({ kind: "entity" }, "", (_, change) => reparent(entity, change() || null));
  fill(parent.element.firstChild, { ariaLabel: "Parent", placeholder: "none" });
  add.onchange = tried(async () => {
    const name = add.value, pool = state.pools.find((it) => it.name === name);
    add.value = "";
    const known = await shape(name);
    await insert(entity, name, pool.default ? undefined : known.sample);
  });
  const head = h("div", { className: "head" }, title, weak(entity), pointed, h("span", { className: "fill" }), add,
    h("label", { className: "parent weak" }, "in", parent.element), button("Despawn", () => despawn(entity), { className: "danger" }));
  $("details").replaceChildren(head, cards);
  return ({ line, pointed_by, components }) => {
    fill(title, { textContent: line.name ?? "unnamed" });
    fill(pointed, { textContent: pointed_by.map((it) => `${it.count} by ${it.relation}`).join(", ") });
    parent.set(line.parent ?? "");
    const has = new Set(components.map((it) => it.name));
    const addable = state.pools.map((pool) => (pool.default || pool.saved_as) && !has.has(pool.name) ? pool.name : null);
    keep(add, ["", ...addable.filter(Boolean)], String, (value) => ({ element: h("option", { value }, value || "+ component"), set() {} }));
    keep(cards, components, (it) => it.name, (it) => makeCard(entity, it));
  };
}

function makeCard(entity, { name, is_saved }) {
  const body = h("div"), to = button("", () => pick(now.target), { className: "link" }), text = h("pre", { className: "weak" });
  let inner = null, now = null;
  const edit = (path, change) => mutate(entity, name, path, change);
  const element = h("section", { className: "card", "data-component": name },
    h("div", { className: "head" }, h("h3", {}, name), to,
      button("×", () => remove(entity, name), { className: "plain", title: `Remove ${name}` })), body);
  return {
    element,
    set(component) {
      now = component;
      fill(to, { textContent: now.target ? `→ ${now.target}` : "" });
      if (inner) inner.set(now.value);
      else if (is_saved) shape(name).then(begin, () => {}); // asked for again with the next value
      else begin(null);
    },
  };

  function begin(found) {
    if (inner) return;
    const set = (value) => fill(text, { textContent: value ?? "not shown: it is neither saved nor printed" });
    inner = found ? control(found, "", edit) : { element: text, set };
    inner.element.ariaLabel ??= name;
    body.append(inner.element);
    inner.set(now.value);
  }
}
