// Edits, each with the request that takes it back.

import { $, tried } from "./dom.js";
import { call } from "./rpc.js";
import { pick, poke, state } from "./main.js";

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
const part = (value, path) => path.split(".").slice(1).reduce((value, key) => value[key], value);

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

export const insert = (entity, component, value) => edit(`add ${component}`, () => {
  const [method, params] = value === undefined ? ["ecs.insert_default", { component }]
    : ["world.insert_components", { components: { [component]: value } }];
  return both(method, { entity, ...params }, "world.remove_components", { entity, components: [component] });
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
