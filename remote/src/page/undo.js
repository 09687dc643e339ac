// Edits, each with the request that takes it back.

import { $, tried } from "./dom.js";
import { call } from "./rpc.js";
import { pick, poke, state } from "./main.js";
import { mark } from "./list.js";

const done = [];
let turn = Promise.resolve();

function show() {
  const last = done.at(-1);
  $("undo").disabled = !last;
  $("undo").title = last ? `Undo: ${last.label} (Ctrl+Z)` : "Nothing to undo";
}

/** Runs edits and undos one after another, so that an undo takes back an edit whose answer is still on its way. */
const inTurn = (run) => turn = turn.then(tried(run)).finally(() => {
  state.edits++;
  show();
  poke();
});

/** Carries out an edit, which returns the request that takes it back. Returns that; `undefined` if the edit failed. */
export const edit = (label, run) => inTurn(async () => {
  const back = await run();
  done.push({ label, back });
  return back;
});

export const undo = () => inTurn(async () => {
  const last = done.pop();
  if (!last) return;
  try {
    await call(...last.back);
  } catch (error) {
    if (!error.code) done.push(last); // it did not arrive, and may be tried again
    throw error;
  }
});

/** Forgets all edits: those of another world cannot be taken back in this one. */
export function forget() {
  done.length = 0;
  show();
}

/** Calls a method, and returns the request that takes it back. */
const both = async (method, params, ...back) => {
  await call(method, params);
  return back;
};

/** Brings back what `ecs.take` took, which returned its number. */
const putBack = ({ taken }) => ["ecs.put_back", { taken }];

/** Returns the part of a value at a path. */
export const part = (value, path) => path.split(".").slice(1).reduce((value, key) => value[key], value);

/** Writes a value for a request. As a text it may have numbers of more than 64 bits. */
const written = (value) => ({ json: JSON.stringify(value) });

/** Replaces the value at a path of a component by what `change` makes of it. */
export const mutate = (entity, component, path, change) => edit(component + path, async () => {
  const found = await call("world.get_components", { entity, components: [component], strict: true });
  const value = part(found[component], path), at = { entity, component, path };
  return both("world.mutate_components", { ...at, ...written(change(value)) }, "world.mutate_components", { ...at, ...written(value) });
});

/** Replaces the value at a path of a resource. */
export const mutateResource = (resource, path, change) => edit(resource + path, async () => {
  const value = part((await call("world.get_resources", { resource })).value, path), at = { resource, path };
  return both("world.mutate_resources", { ...at, ...written(change(value)) }, "world.mutate_resources", { ...at, ...written(value) });
});

/** Inserts a component into entities that lack it. */
export const insert = (entities, component, value) => edit(`add ${component}`, async () =>
  putBack(await call("ecs.edit", { entities, component, ...written(value) })));

export const insertDefault = (entity, component) => edit(`add ${component}`, () =>
  both("ecs.insert_default", { entity, component }, "world.remove_components", { entity, components: [component] }));

/** Replaces the value at a path of a component of all entities, or of none. */
export const mutateAll = (entities, component, path, change) => edit(`${component}${path} of ${entities.length}`, async () => {
  const found = await call("world.get_components", { entity: entities[0], components: [component], strict: true });
  const value = change(part(found[component], path));
  return putBack(await call("ecs.edit", { entities, component, path, ...written(value) }));
});

export const despawnAll = (entities) => edit(`despawn ${entities.length}`, async () => {
  const taken = await call("ecs.take_all", { entities });
  mark([]);
  return putBack(taken);
});

/** Spawns copies of a prefab. */
export const spawnPrefab = (name, count) => edit(`spawn ${name}`, async () => {
  const { entities } = await call("ecs.spawn_prefab", { name, count });
  if (entities.length > 1) mark(entities);
  else pick(entities[0]);
  return ["ecs.take_all", { entities }];
});

export const remove = (entity, component) =>
  edit(`remove ${component}`, async () => putBack(await call("ecs.take", { entity, component })));

export const reparent = (entity, parent) =>
  edit("reparent", async () => putBack(await call("ecs.reparent", { entity, parent })));

export async function spawn() {
  const back = await edit("spawn", async () => ["world.despawn_entity", await call("world.spawn_entity", { components: {} })]);
  if (back) pick((await call("ecs.entity", back[1])).line.entity);
}

export const despawn = (entity) => edit(`despawn ${entity}`, async () => {
  const taken = await call("ecs.take", { entity });
  if (state.picked === entity) pick(null);
  return putBack(taken);
});
