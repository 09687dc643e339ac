// The entities: a list, or a tree by a relation, of which only what is seen is asked for.

import { $, button, fill, h, keep, note, offer, tried } from "./dom.js";
import { pick, poke, state, view } from "./main.js";
import { call } from "./rpc.js";

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
/** The most entities that are marked, the row from which a range is marked, and whether each click marks. */
const MOST = 10_000;
let anchor = 0, isMarking = false;

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
  return [[...asked(offset, limit), show, fail]];
}

/** Returns the request for some rows. */
const asked = (offset, limit) => isTree()
  ? ["ecs.tree", { relation, open: [...open], offset, limit }]
  : ["ecs.entities", { ...filters(), text: text(), offset, limit }];

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
  const box = h("span", { className: "box" });
  const element = h("div", { className: "row", onclick: (event) => click(event, now) }, fold, box, id, name, tags);
  const set = (line) => {
    now = line;
    const isInTree = line.depth !== undefined, left = isInTree ? 6 + line.depth * 16 : 12;
    fill(element, {
      role: isInTree ? "treeitem" : "option", "aria-posinset": line.at + 1,
      "aria-selected": state.marked.size ? state.marked.has(line.entity) : line.entity === state.picked,
      "data-entity": line.entity, style: { top: `${line.top}px`, paddingLeft: `${left}px` },
    });
    fill(fold, { hidden: !isInTree, textContent: !line.sources ? "" : open.has(line.entity) ? "▾" : "▸" });
    fill(box, { hidden: !isMarking && !state.marked.size, textContent: state.marked.has(line.entity) ? "☑" : "☐" });
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

/** Picks a row, or marks it: with Ctrl, with Shift all from the last one on, or each if `Select` is on. */
function click(event, line) {
  if (event.shiftKey) return markRange(Math.min(anchor, line.at), Math.max(anchor, line.at));
  anchor = line.at;
  if (event.ctrlKey || event.metaKey || isMarking) return toggleMark(line.entity);
  mark([]);
  choose(line);
}

function toggleMark(entity) {
  // The first mark joins the picked entity.
  const marked = new Set(state.marked.size || isMarking || !state.picked ? state.marked : [state.picked]);
  if (!marked.delete(entity)) marked.add(entity);
  mark(marked);
}

const markRange = tried(async (from, to) => {
  if (to - from >= MOST) note(`the first ${MOST} are marked`);
  const end = Math.min(to + 1, from + MOST), entities = [];
  while (from + entities.length < end) {
    const { rows } = await call(...asked(from + entities.length, Math.min(200, end - from - entities.length)));
    if (!rows.length) break;
    entities.push(...rows.map((row) => row.entity));
  }
  mark(entities);
});

/** Marks these entities, to be edited together. */
export function mark(entities) {
  if (!state.marked.size && ![...entities].length) return;
  state.marked = new Set(entities);
  showMarks();
  draw();
  poke();
}

function showMarks() {
  const count = state.marked.size;
  fill($("marks"), { hidden: !isMarking && !count });
  fill($("marked"), { textContent: `${count} selected` });
  fill($("mark"), { "aria-pressed": isMarking });
}

$("mark").onclick = () => {
  isMarking = !isMarking;
  if (!isMarking) mark([]);
  showMarks();
  draw();
};
$("all").onclick = () => markRange(0, shown.total - 1);
$("none-marked").onclick = () => mark([]);
$("edit-marked").onclick = () => view("details");

/** Shows the entities that a text finds. */
export function find(text) {
  $("text").value = text;
  if (innerWidth <= 900) view("list");
  narrow();
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
  if (event.key === " " && state.picked) keys[" "] = () => toggleMark(state.picked);
  if (event.key === "Escape") keys.Escape = () => mark([]);
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
};

let scrolled = 0;
rows.onscroll = () => {
  draw();
  if (performance.now() - scrolled < 60) return;
  scrolled = performance.now();
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
