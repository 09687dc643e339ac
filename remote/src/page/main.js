// The page: what is picked, and the one loop that asks for all that is shown.

import { $, bytes, note, number } from "./dom.js";
import { batch } from "./rpc.js";
import * as list from "./list.js";
import * as details from "./details.js";
import * as panels from "./panels.js";
import { forget, spawn, undo } from "./undo.js";

/** Milliseconds between two updates. */
const PACE = 250;

/** The picked entity, those that are marked to be edited together, the pools and the number of the world, and how many edits there were. */
export const state = { picked: null, marked: new Set(), pools: [], world: null, edits: 0 };

/** Shows an entity, or none. */
export function pick(entity) {
  state.picked = entity;
  if (entity) list.mark([]);
  if (entity && innerWidth <= 900) view("details");
  details.reset();
  list.draw();
  poke();
}

/** Shows one of the three parts, where there is room for one. */
export function view(name) {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll("nav button")) button.ariaSelected = button.dataset.to === name;
  poke();
}

let timer, isBusy = false, again = false, entities = 0;

/** Updates at once. */
export function poke() {
  clearTimeout(timer);
  if (isBusy) again = true;
  else update();
}

async function update() {
  isBusy = true;
  again = false;
  // Each call has a function that shows its result, and may have one that shows its error.
  const all = document.hidden ? [] : [...list.calls(), ...details.calls(), ...panels.calls()];
  const calls = [["ecs.world", {}, showWorld], ["ecs.pools", {}, showPools], ...all];
  const { edits } = state;
  let wrong = null;
  try {
    const answers = await batch(calls);
    const isOld = edits !== state.edits; // an edit came between
    for (const [at, { result, error }] of isOld ? [] : answers.entries()) {
      const [, , show, fail = (error) => { wrong = error.message; }] = calls[at];
      if (error) fail(error);
      else show(result);
    }
  } catch (error) {
    wrong = error.message;
  }
  $("state").className = wrong ? "off" : "on";
  $("state").textContent = wrong ?? "connected";
  isBusy = false;
  timer = setTimeout(update, again ? 0 : PACE);
}

/** Begins anew if the program did, or if a snapshot was restored: handles, edits and types are of another world then. */
function showWorld(found) {
  if (state.world !== null && state.world !== found.number) {
    forget();
    list.mark([]);
    details.forget();
    panels.open();
  }
  state.world = found.number;
  entities = found.entities;
}

function showPools(pools) {
  state.pools = pools;
  const all = pools.reduce((sum, pool) => sum + pool.bytes, 0);
  $("counts").textContent = `${number(entities)} entities · ${pools.length} components · ${bytes(all)} in pools`;
  list.showRelations(pools.filter((pool) => pool.relation));
  panels.showPools();
}

$("spawn").onclick = spawn;
$("undo").onclick = undo;
$("theme").onclick = () => {
  const { dataset } = document.documentElement;
  const now = dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  dataset.theme = now === "dark" ? "light" : "dark";
};
for (const button of document.querySelectorAll("nav button")) button.onclick = () => view(button.dataset.to);
addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select")) return;
  const run = event.key === "/" ? () => $("text").focus() : (event.ctrlKey || event.metaKey) && event.key === "z" ? undo : null;
  if (run) { event.preventDefault(); run(); }
});
addEventListener("visibilitychange", poke);
addEventListener("resize", () => { list.draw(); poke(); });
if (!JSON.rawJSON) note("This browser rounds whole numbers beyond 2^53: use a later one to edit such numbers.");
panels.start();
pick(new URLSearchParams(location.hash.slice(1)).get("pick"));
