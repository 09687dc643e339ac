// The entities: a list of which only what is seen is asked for, or a tree by a relation.

import { $, h } from "./dom.js";
import { pick, poke, state } from "./main.js";

const ROW = 28;
/** Browsers lay out no more pixels than some millions. */
const TALLEST = 8e6;
const PAGE = 100;

const filter = { text: "", with: [], without: [], relation: "" };
let shown = { offset: 0, rows: [], total: 0 };
/** The open nodes of the tree: how many of their sources are asked for, and those that came. */
const open = new Map();
const roots = { rows: [], total: 0, limit: PAGE };

const rows = $("rows");
const count = () => filter.relation ? flat().length : shown.total;
const height = () => Math.min(count() * ROW, TALLEST);
const scale = () => count() * ROW / Math.max(1, height());
const first = () => Math.max(0, Math.floor(rows.scrollTop * scale() / ROW));
const visible = () => Math.ceil(rows.clientHeight / ROW) + 1;

export function calls() {
  if (!rows.clientHeight) return [];
  const { text, relation } = filter;
  if (relation && !text) {
    return [
      ["ecs.tree", { relation, limit: roots.limit }, (found, error) => { if (!error) { Object.assign(roots, found); draw(); } }],
      ...[...open].slice(-20).map(([entity, node]) => ["ecs.tree", { relation, entity, limit: node.limit }, (found, error) => {
        if (error) open.delete(entity);
        else Object.assign(node, found);
        draw();
      }]),
    ];
  }
  const offset = Math.max(0, first() - 4), limit = visible() + 8;
  return [["ecs.entities", { with: filter.with, without: filter.without, text, offset, limit }, (found, error) => {
    if (error) return;
    shown = { offset, ...found };
    draw();
  }]];
}

/** The rows of the tree, from top to bottom. */
function flat() {
  if (filter.text) return shown.rows.map((line) => ({ line, depth: 0 }));
  const all = [];
  const add = (node, depth) => {
    for (const line of node.rows ?? []) {
      all.push({ line, depth });
      const inside = open.get(line.entity);
      if (inside && depth < 64) add(inside, depth + 1);
    }
    if (node.total > (node.rows?.length ?? 0)) all.push({ more: node, depth });
  };
  add(roots, 0);
  return all;
}

export function draw() {
  const space = $("space"), total = count();
  space.style.height = `${height()}px`;
  const from = first(), shift = rows.scrollTop - (rows.scrollTop * scale() % ROW);
  const all = filter.relation ? flat() : null;
  const elements = [];
  for (let at = from; at < Math.min(total, from + visible()); at++) {
    const { line, depth, more } = all ? all[at] : { line: shown.rows[at - shown.offset], depth: null };
    const top = `${shift + (at - from) * ROW}px`;
    if (more) {
      elements.push(h("div", { className: "row link", style: { top, paddingLeft: `${12 + depth * 16}px` }, onclick: () => { more.limit += PAGE; poke(); } }, `show more of ${more.total}`));
    } else if (line) elements.push(row(line, depth, top, at));
  }
  space.replaceChildren(...elements);
  if (!total) space.replaceChildren(h("div", { className: "empty" }, filter.relation ? `no entity points to another by ${filter.relation}` : "no entity matches"));
  rows.setAttribute("role", filter.relation ? "tree" : "listbox");
}

function row(line, depth, top, at) {
  const isTree = depth !== null && filter.relation;
  const fold = isTree && h("span", { className: "fold", onclick: (event) => { event.stopPropagation(); toggle(line); } },
    line.sources ? open.has(line.entity) ? "▾" : "▸" : "");
  return h("div", {
    className: "row", role: isTree ? "treeitem" : "option", "aria-selected": line.entity === state.picked, "aria-posinset": at + 1,
    style: { top, paddingLeft: isTree ? `${6 + depth * 16}px` : "12px" }, "data-entity": line.entity, onclick: () => pick(line.entity),
  }, fold || null, h("span", { className: "id" }, line.entity), h("span", {}, line.name ?? ""),
  h("span", { className: "tags" }, line.components.filter((name) => name !== "Name").join(" ")));
}

function toggle(line) {
  if (!open.delete(line.entity) && line.sources) open.set(line.entity, { rows: [], total: 0, limit: PAGE });
  draw();
  poke();
}

/** Picks the row that is so far from the picked one, and scrolls to it. */
function step(by) {
  const all = filter.relation ? flat() : shown.rows.map((line) => ({ line }));
  const start = filter.relation ? 0 : shown.offset;
  const now = all.findIndex(({ line }) => line?.entity === state.picked);
  const at = Math.max(0, Math.min(count() - 1, (now < 0 ? first() - 1 : now + start) + by));
  const top = at * ROW / scale();
  if (top < rows.scrollTop) rows.scrollTop = top;
  if (top + ROW > rows.scrollTop + rows.clientHeight) rows.scrollTop = top + ROW - rows.clientHeight;
  const next = all[at - start]?.line;
  if (next) pick(next.entity);
}

rows.onkeydown = (event) => {
  const line = filter.relation && flat().find(({ line }) => line?.entity === state.picked)?.line;
  const keys = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(visible() - 2), PageUp: () => step(2 - visible()),
    Home: () => { rows.scrollTop = 0; }, End: () => { rows.scrollTop = height(); },
    ArrowRight: () => line && !open.has(line.entity) && toggle(line), ArrowLeft: () => line && open.has(line.entity) && toggle(line),
  };
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
};

let asked = 0;
rows.onscroll = () => {
  draw();
  if (performance.now() - asked > 60) { asked = performance.now(); poke(); }
};
$("text").oninput = () => { filter.text = $("text").value.trim(); rows.scrollTop = 0; poke(); };
$("relation").onchange = () => { filter.relation = $("relation").value; open.clear(); roots.limit = PAGE; rows.scrollTop = 0; drawFilters(); poke(); };

export function showRelations(relations) {
  const names = relations.map((pool) => pool.name);
  if ($("relation").dataset.names === names.join() && $("relation").options.length) return;
  $("relation").dataset.names = names.join();
  $("relation").replaceChildren(h("option", { value: "" }, "List"), ...names.map((name) => h("option", { value: name, selected: name === filter.relation }, `Tree: ${name}`)));
}

/** The components that the list is filtered by. */
export const filters = () => ({ with: filter.with, without: filter.without });

/** Filters by a component: those that have it, then those that lack it, then all. */
export function filterBy(name) {
  const isWith = filter.with.includes(name), isWithout = filter.without.includes(name);
  filter.with = filter.with.filter((it) => it !== name);
  filter.without = filter.without.filter((it) => it !== name);
  if (!isWith && !isWithout) filter.with.push(name);
  if (isWith) filter.without.push(name);
  filter.relation = $("relation").value = "";
  rows.scrollTop = 0;
  drawFilters();
  poke();
}

function drawFilters() {
  const chip = (name, isWith) => h("span", { className: "chip" },
    h("button", { className: "plain", title: "With, without, or either", onclick: () => filterBy(name) }, `${isWith ? "with" : "without"} ${name}`),
    h("button", { className: "plain", title: "Remove this filter", onclick: () => { if (isWith) filterBy(name); filterBy(name); } }, "×"));
  const chips = filter.relation ? [] : [...filter.with.map((name) => chip(name, true)), ...filter.without.map((name) => chip(name, false))];
  $("filters").replaceChildren(...chips);
}
