// Edits, each with what takes it back.

import { $, tried } from "./dom.js";
import { call } from "./rpc.js";
import { poke, pick, state } from "./main.js";

const done = [];
let turn = Promise.resolve();

/** Runs edits and undos one after another, so that an undo takes back an edit whose answer is still on its way. */
const inTurn = (run) => turn = turn.then(run);

function show() {
  const last = done.at(-1);
  $("undo").disabled = !last;
  $("undo").title = last ? `Undo: ${last.label} (Ctrl+Z)` : "Nothing to undo";
}

/** Carries out an edit, and remembers how it is taken back. */
export const edit = (label, run, back) => inTurn(tried(async () => {
  try {
    const result = await run();
    done.push({ label, back: () => back(result) });
    if (done.length > 200) done.shift();
    show();
    return result;
  } finally {
    poke();
  }
}));

export const undo = () => inTurn(tried(async () => {
  const last = done.pop();
  show();
  if (last) await last.back();
  poke();
}));

/** Brings back what `ecs.take` took, which returned its number. */
const putBack = ({ taken }) => call("ecs.put_back", { taken });

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

export const remove = (entity, component) =>
  edit(`remove ${component}`, () => call("ecs.take", { entity, component }), putBack);

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

export const despawn = (entity) =>
  edit(`despawn ${entity}`,
    async () => {
      const taken = await call("ecs.take", { entity });
      if (state.picked === entity) pick(null);
      return taken;
    }, putBack);
