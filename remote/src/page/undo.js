// Edits, each with what takes it back.

import { $, note, tried } from "./dom.js";
import { call } from "./rpc.js";
import { poke, pick, state } from "./main.js";

const done = [];

function show() {
  const last = done.at(-1);
  $("undo").disabled = !last;
  $("undo").title = last ? `Undo: ${last.label} (Ctrl+Z)` : "Nothing to undo";
}

/** Carries out an edit, and remembers how it is taken back. */
export async function edit(label, run, back) {
  try {
    const result = await run();
    done.push({ label, back: () => back(result) });
    if (done.length > 200) done.shift();
    show();
    return result;
  } catch (error) {
    note(error);
  } finally {
    poke();
  }
}

export const undo = tried(async () => {
  const last = done.pop();
  show();
  if (last) await last.back();
  poke();
});

export const mutate = (entity, component, path, value, before) =>
  edit(`${component}${path}`,
    () => call("world.mutate_components", { entity, component, path, value }),
    () => call("world.mutate_components", { entity, component, path, value: before }));

export const insert = (entity, component, value) =>
  edit(`add ${component}`,
    () => value === undefined
      ? call("ecs.insert_default", { entity, component })
      : call("world.insert_components", { entity, components: { [component]: value } }),
    () => call("world.remove_components", { entity, components: [component] }));

export const remove = (entity, { name, value, is_saved }) =>
  edit(`remove ${name}`,
    () => call("world.remove_components", { entity, components: [name] }),
    () => {
      if (!is_saved) throw new Error(`${name} is not saved, so it cannot come back`);
      return call("world.insert_components", { entity, components: { [name]: value } });
    });

export const reparent = (entity, parent, before) =>
  edit("reparent",
    () => call("world.reparent_entities", { entities: [entity], parent }),
    () => call("world.reparent_entities", { entities: [entity], parent: before }));

export const spawn = () =>
  edit("spawn",
    async () => {
      const { entity } = await call("world.spawn_entity", { components: {} });
      pick((await call("ecs.entity", { entity })).line.entity);
      return entity;
    },
    (entity) => call("world.despawn_entity", { entity }));

/** Reads an entity and its children, with all values that are saved. */
async function read(entity) {
  const { components, line } = await call("ecs.entity", { entity });
  const saved = components.filter((it) => it.is_saved && it.name !== "ChildOf");
  const tree = { components: Object.fromEntries(saved.map((it) => [it.name, it.value])), children: [] };
  const children = line.children ? await call("ecs.tree", { relation: "ChildOf", entity }) : { rows: [] };
  for (const child of children.rows) tree.children.push(await read(child.entity));
  return { ...tree, parent: line.parent };
}

async function restore({ components, children }, parent) {
  const own = parent ? { ...components, ChildOf: parent } : components;
  const { entity } = await call("world.spawn_entity", { components: own });
  for (const child of children) await restore(child, entity);
  return entity;
}

export const despawn = (entity) =>
  edit(`despawn ${entity}`,
    async () => {
      const tree = await read(entity);
      await call("world.despawn_entity", { entity });
      if (state.picked === entity) pick(null);
      return tree;
    },
    (tree) => restore(tree, tree.parent));
