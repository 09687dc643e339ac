// The page: what is picked, and the one loop that asks for all that is shown.

import { $, bytes, number } from "./dom.js";
import { batch, traffic } from "./rpc.js";
import * as list from "./list.js";
import * as details from "./details.js";
import * as panels from "./panels.js";
import { spawn, undo } from "./undo.js";

/** Milliseconds between two updates. */
const PACE = 250;

export const state = { picked: null, pools: [], total: 0 };
window.inspector = { state, traffic }; // for tests

/** Shows an entity, or none. */
export function pick(entity) {
  state.picked = entity;
  if (entity && innerWidth <= 900) view("details");
  details.reset();
  list.draw();
  poke();
}

export function view(name) {
  document.body.dataset.view = name;
  poke();
}

let timer, isBusy = false, again = false;

/** Updates at once. */
export function poke() {
  clearTimeout(timer);
  if (isBusy) again = true;
  else update();
}

async function update() {
  isBusy = true;
  again = false;
  const calls = document.hidden ? [] : [
    ["ecs.entities", { limit: 0 }, ({ total }) => { state.total = total; }],
    ["ecs.pools", {}, showPools],
    ...list.calls(), ...details.calls(), ...panels.calls(),
  ];
  try {
    const answers = calls.length ? await batch(calls) : [];
    answers.forEach(({ result, error }, at) => calls[at][2](result, error));
    connected("on", "connected");
  } catch (error) {
    connected("off", error.name === "TypeError" ? "no connection" : error.message);
  }
  isBusy = false;
  timer = setTimeout(update, again ? 0 : PACE);
}

function connected(name, text) {
  $("state").className = name;
  $("state").textContent = text;
}

function showPools(pools) {
  state.pools = pools;
  const all = pools.reduce((sum, pool) => sum + pool.bytes, 0);
  $("counts").textContent = `${number(state.total)} entities · ${pools.length} components · ${bytes(all)} in pools`;
  list.showRelations(pools.filter((pool) => pool.relation));
  panels.showPools(pools);
}

$("spawn").onclick = spawn;
$("undo").onclick = undo;
$("theme").onclick = () => {
  const isDark = (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  poke();
};
for (const button of document.querySelectorAll("nav button")) button.onclick = () => view(button.dataset.to);
addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, textarea, select");
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isTyping) { event.preventDefault(); undo(); }
  if (event.key === "/" && !isTyping) { event.preventDefault(); $("text").focus(); }
});
addEventListener("visibilitychange", poke);
addEventListener("resize", () => { list.draw(); poke(); });
panels.start();
const asked = new URLSearchParams(location.hash.slice(1)).get("pick");
if (asked) pick(asked);
else details.reset();
poke();
