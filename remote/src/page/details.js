// One entity: its components, each with a control that fits its type.

import { $, h, tried } from "./dom.js";
import { call } from "./rpc.js";
import { pick, state } from "./main.js";
import { control, json, sample } from "./controls.js";
import { despawn, insert, mutate, remove, reparent } from "./undo.js";

const shapes = new Map();
let cards = new Map(), head = null, now = null;

/** Shows a text in the place of an entity. */
function empty(text) {
  cards = new Map();
  head = now = null;
  $("details").replaceChildren(h("div", { className: "empty" }, text));
}

export const reset = () => empty(state.picked ? `looking for ${state.picked}` : "Pick an entity to see its components.");

export function calls() {
  if (!state.picked) return [];
  const entity = state.picked;
  return [["ecs.entity", { entity }, (found, error) => {
    if (entity !== state.picked) return;
    if (error) empty(`${entity} is not alive any more.`);
    else draw(entity, found);
  }]];
}

async function shape(name) {
  if (!shapes.has(name)) shapes.set(name, call("ecs.shapes", { components: [name] }).then((found) => found[name]));
  return shapes.get(name);
}

function draw(entity, found) {
  now = found;
  if (!head) {
    head = makeHead(entity);
    $("details").replaceChildren(head.element);
  }
  head.set(found);
  const names = new Set(found.components.map((it) => it.name));
  for (const [name, card] of cards) {
    if (!names.has(name)) { card.element.remove(); cards.delete(name); }
  }
  for (const component of found.components) {
    if (!cards.has(component.name)) {
      const card = makeCard(entity, component);
      cards.set(component.name, card);
      $("details").append(card.element);
    }
    cards.get(component.name).set(component);
  }
}

function makeHead(entity) {
  const title = h("h2"), id = h("span", { className: "weak" }), parent = h("span"), pointed = h("span", { className: "weak" });
  const add = h("select", { title: "Add a component" });
  add.onchange = tried(async () => {
    const name = add.value, pool = state.pools.find((it) => it.name === name);
    add.value = "";
    const known = await shape(name);
    await insert(entity, name, pool.default ? undefined : sample(known));
  });
  const parentField = h("input", { type: "text", placeholder: "parent, 12v3", size: 10, "aria-label": "Parent" });
  parentField.onchange = () => { reparent(entity, parentField.value || null, now.line.parent); parentField.value = ""; };
  const element = h("div", { className: "head" }, title, id, parent, h("span", { className: "fill" }), add, parentField,
    h("button", { className: "danger", onclick: () => despawn(entity) }, "Despawn"), pointed);
  let options = "";
  return {
    element,
    set({ line, pointed_by, components }) {
      title.textContent = line.name ?? "unnamed";
      id.textContent = line.entity;
      parent.replaceChildren(...(line.parent ? ["in ", link(line.parent)] : []));
      pointed.textContent = pointed_by.map((it) => `${it.count} by ${it.relation}`).join(", ");
      const has = new Set(components.map((it) => it.name));
      const addable = state.pools.filter((pool) => !has.has(pool.name) && (pool.default || pool.saved_as));
      const key = addable.map((pool) => pool.name).join();
      if (key !== options && document.activeElement !== add) {
        options = key;
        add.replaceChildren(h("option", { value: "" }, "+ component"), ...addable.map((pool) => h("option", { value: pool.name }, pool.name)));
      }
    },
  };
}

const link = (entity) => h("button", { className: "link", onclick: () => pick(entity) }, entity);

function makeCard(entity, { name, is_saved }) {
  const body = h("div"), target = h("span");
  let inner = null, latest = null;
  const edit = (path, value, before) => mutate(entity, name, path, value, before);
  const element = h("section", { className: "card", "data-component": name },
    h("div", { className: "head" }, h("h3", {}, name), target,
      h("button", { className: "plain", title: `Remove ${name}`, onclick: () => remove(entity, name) }, "×")), body);
  if (is_saved) {
    shape(name).then((found) => control(found, "", edit), () => json("", edit)).then((made) => {
      inner = made;
      inner.element.ariaLabel ??= name;
      body.replaceChildren(inner.element);
      inner.set(latest.value);
    });
  } else {
    const text = h("pre", { className: "weak" });
    body.append(text);
    inner = { set: (value) => { text.textContent = value ?? "not shown: it is neither saved nor printed"; } };
  }
  return {
    element,
    set(component) {
      latest = component;
      inner?.set(component.value);
      target.replaceChildren(...(component.target ? ["→ ", link(component.target)] : []));
    },
  };
}
