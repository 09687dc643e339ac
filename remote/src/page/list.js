// The entities: a list, or a tree by a relation, of which only what is seen is asked for.

import { $, button, fill, h, keep, offer } from "./dom.js";
import { pick, poke, state } from "./main.js";

const ROW = 28;
/** Browsers lay out no more pixels than some millions. */
const TALLEST = 8e6;
/** Rows before and behind the visible ones that are asked for. */
const LEAD = 4;

/** The components that the list is filtered by, each `with` or `without`; or the relation of the tree. */
const modes = new Map();
let relation = "";
/** The rows that came, from an offset on, and how many there are. */
let shown = { offset: 0, rows: [], total: 0 };
/** The row that is picked once it has come. */
let wanted = null;
/** The entities of the tree that are unfolded. */
const open = new Set();

const rows = $("rows");
const text = () => $("text").value.trim();
const isTree = () => relation && !text();
const height = () => Math.min(shown.total * ROW, TALLEST);
const scale = () => shown.total * ROW / Math.max(1, height());
const first = () => Math.max(0, Math.floor(rows.scrollTop * scale() / ROW));
const visible = () => Math.ceil(rows.clientHeight / ROW) + 1;

export function calls() {
  if (!rows.clientHeight) return [];
  const offset = Math.max(0, first() - LEAD), limit = visible() + 2 * LEAD;
  const show = (found) => {
    shown = { offset, ...found };
    draw();
  };
  const fail = ({ message }) => show({ rows: [], total: 0, message });
  return [isTree()
    ? ["ecs.tree", { relation, open: [...open], offset, limit }, show, fail]
    : ["ecs.entities", { ...filters(), text: text(), offset, limit }, show, fail]];
}

export function draw() {
  const { offset, total, message } = shown;
  $("space").style.height = `${height()}px`;
  const from = first(), top = rows.scrollTop - rows.scrollTop * scale() % ROW;
  const placed = shown.rows.map((line, at) => ({ ...line, at: offset + at, top: top + (offset + at - from) * ROW }));
  const seen = placed.filter(({ at }) => at >= from && at < from + visible());
  keep($("space"), seen, ({ entity, depth }) => `${entity} ${depth}`, makeRow);
  const none = isTree() ? `no entity points to another by ${relation}` : "no entity matches";
  fill($("none"), { hidden: total > 0, textContent: message ?? none });
  rows.setAttribute("role", isTree() ? "tree" : "listbox");
  const come = placed.find(({ at }) => at === Math.min(wanted ?? -1, total - 1)); // there may be fewer rows by now
  if (come) choose(come);
}

function makeRow() {
  let now;
  const fold = h("span", { className: "fold", onclick: (event) => { event.stopPropagation(); toggle(now); } });
  const id = h("span", { className: "id" }), name = h("span"), tags = h("span", { className: "tags" });
  const element = h("div", { className: "row", onclick: () => choose(now) }, fold, id, name, tags);
  const set = (line) => {
    now = line;
    const isInTree = line.depth !== undefined, left = isInTree ? 6 + line.depth * 16 : 12;
    fill(element, {
      role: isInTree ? "treeitem" : "option", "aria-selected": line.entity === state.picked, "aria-posinset": line.at + 1,
      "data-entity": line.entity, style: { top: `${line.top}px`, paddingLeft: `${left}px` },
    });
    fill(fold, { hidden: !isInTree, textContent: !line.sources ? "" : open.has(line.entity) ? "▾" : "▸" });
    fill(id, { textContent: line.entity });
    fill(name, { hidden: !line.name, textContent: line.name ?? "" });
    fill(tags, { textContent: line.components.filter((name) => name !== "Name").join(" ") });
  };
  return { element, set };
}

function choose({ entity }) {
  wanted = null;
  pick(entity);
}

function toggle({ entity }) {
  if (!open.delete(entity)) open.add(entity);
  poke();
}

const picked = () => shown.rows.findIndex(({ entity }) => entity === state.picked);

/** Moves by so many rows from the picked one, scrolls there, and picks that row once it has come. */
function step(by) {
  const from = wanted ?? (picked() < 0 ? first() - 1 : shown.offset + picked());
  wanted = Math.max(0, Math.min(shown.total - 1, from + by));
  const top = wanted * ROW / scale();
  if (top < rows.scrollTop) rows.scrollTop = top;
  if (top + ROW > rows.scrollTop + rows.clientHeight) rows.scrollTop = top + ROW - rows.clientHeight;
  draw();
  poke();
}

rows.onkeydown = (event) => {
  const line = shown.rows[picked()], page = visible() - 2;
  const fold = (isOpen) => line?.sources && open.has(line.entity) === isOpen && toggle(line);
  const keys = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(page), PageUp: () => step(-page),
    Home: () => step(-shown.total), End: () => step(shown.total), ArrowRight: () => fold(false), ArrowLeft: () => fold(true),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
};

let asked = 0;
rows.onscroll = () => {
  draw();
  if (performance.now() - asked < 60) return;
  asked = performance.now();
  poke();
};
$("text").oninput = narrow;
$("relation").onchange = () => {
  relation = $("relation").value;
  open.clear();
  modes.clear();
  narrow();
};

export const showRelations = (relations) =>
  offer($("relation"), ["", ...relations.map((pool) => pool.name)], (name) => name ? `Tree: ${name}` : "List");

/** The components that the list is filtered by. */
export const filters = () => {
  const names = (wanted) => [...modes].filter(([, mode]) => mode === wanted).map(([name]) => name);
  return { with: names("with"), without: names("without") };
};

/** Filters by a component: those that have it, then those that lack it, then all. */
export function filterBy(name, isAll = modes.get(name) === "without") {
  const mode = modes.has(name) ? "without" : "with";
  if (isAll) modes.delete(name);
  else modes.set(name, mode);
  relation = $("relation").value = "";
  narrow();
}

/** Shows other rows, from the first on. */
function narrow() {
  wanted = null;
  rows.scrollTop = 0;
  $("filters").replaceChildren(...[...modes].map(([name, mode]) => h("span", { className: "chip" },
    button(`${mode} ${name}`, () => filterBy(name), { className: "plain", title: "With, without, or either" }),
    button("×", () => filterBy(name, true), { className: "plain", title: "Remove this filter" }))));
  poke();
}
