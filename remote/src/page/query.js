// A table of a query: its components as columns, its entities as rows.

import { button, fill, h, keep, offer, tried, weak } from "./dom.js";
import { pick, poke, state } from "./main.js";
import { filters } from "./list.js";
import { control } from "./controls.js";
import { shape, version } from "./details.js";
import { mutate, part } from "./undo.js";

/** Rows of a page, and fields of a struct that have columns of their own. */
const ROWS = 50, MOST_FIELDS = 4;
const LEAVES = ["bool", "uint", "int", "float", "text", "entity"];

/** The components that are columns; the next time they are the same. */
let chosen = null;

/** Returns the columns of a shape: a name, a path, and the shape there. */
function columnsOf(name, shape, path = "") {
  if (shape.kind === "newtype") return columnsOf(name, { ...shape.of, range: shape.range, unit: shape.unit }, path);
  const parts = shape.kind === "struct" ? shape.of : shape.kind === "tuple" ? shape.of.map((part, at) => [at, part]) : [];
  if (!parts.length || parts.length > MOST_FIELDS) return [{ name, path, shape }];
  return parts.flatMap(([key, part]) => columnsOf(`${name}.${key}`, part, `${path}.${key}`));
}

/** Returns a handle as text: the index is the lower half of its number, the generation the upper one. */
function handle(bits) {
  const number = BigInt(bits.rawJSON ?? bits);
  return `${number & 0xffffffffn}v${number >> 32n}`;
}

/** The tab: fills an element, and returns what it asks for. */
export function queryTable(root) {
  const columns = h("div", { className: "head" }), add = h("select", { title: "Add a column", ariaLabel: "Column" }), about = weak();
  const head = h("thead"), body = h("tbody"), before = [];
  let cursor = null, parts = [], last = null, isFull = false, versions;
  const versionsOf = () => chosen.map(version).join();
  const move = (run) => () => {
    run();
    body.parentElement.parentElement.scrollTop = 0;
    poke();
  };
  const back = button("Back", move(() => { cursor = before.pop() ?? null; }));
  const next = button("Next", move(() => { before.push(cursor); cursor = last; }));
  root.append(columns, h("div", { className: "wide" }, h("table", {}, head, body)), h("div", { className: "head" }, back, next, about),
    weak("The rows are the entities that have all columns and match the filter of the list."));
  const show = tried(async () => {
    versions = versionsOf();
    before.length = 0;
    cursor = null;
    parts = (await Promise.all(chosen.map(async (of) => columnsOf(of, await shape(of)).map((column) => ({ ...column, of }))))).flat();
    const cells = parts.map(({ name, shape: { unit } }) => h("th", {}, unit ? `${name} (${unit})` : name));
    head.replaceChildren(h("tr", {}, h("th", {}, "Entity"), cells));
    body.replaceChildren();
    body.parts = undefined;
    poke();
  });
  const choose = (names) => {
    chosen = names;
    columns.replaceChildren(...names.map((name) => h("span", { className: "chip" }, name,
      button("×", () => choose(chosen.filter((it) => it !== name)), { className: "plain", title: `Remove the column ${name}` }))), add);
    pools();
    show();
  };
  const pools = () => offer(add, ["", ...state.pools.filter((it) => it.saved_as && !chosen.includes(it.name)).map((it) => it.name)],
    (name) => name || "+ column");
  add.onchange = () => choose([...chosen, add.value]);
  const make = ({ entity }) => {
    const of = handle(entity), name = h("td", {}, button(of, () => pick(of), { className: "link", title: "Show this entity" }));
    const cells = parts.map((column) => {
      const isLeaf = LEAVES.includes(column.shape.kind);
      const edit = (path, change) => mutate(of, column.of, path, change);
      const text = weak(), show = (value) => fill(text, { textContent: JSON.stringify(value) });
      const { element, set } = isLeaf ? control({ ...column.shape, unit: null, range: null }, column.path, edit) : { element: text, set: show };
      element.ariaLabel ??= column.name;
      return { element: h("td", { className: column.shape.kind }, element), set };
    });
    const set = ({ components, errors }) => parts.forEach(({ of, path }, at) =>
      fill(cells[at].element, { title: errors?.[of]?.message ?? "" }) && of in components && cells[at].set(part(components[of], path)));
    return { element: h("tr", {}, name, cells.map((cell) => cell.element)), set };
  };
  const fillIn = (asked) => (rows) => {
    if (asked !== cursor || parts.some(({ of }) => rows.length && !(of in { ...rows[0].components, ...rows[0].errors }))) return;
    keep(body, rows, ({ entity }) => handle(entity), make);
    last = rows.at(-1)?.entity ?? null;
    isFull = rows.length === ROWS;
    fill(back, { disabled: !before.length });
    fill(next, { disabled: !isFull });
    const from = before.length * ROWS;
    fill(about, { textContent: rows.length ? `rows ${from + 1} to ${from + rows.length}` : "no entity matches" });
  };
  const first = () => {
    if (chosen || !state.pools.length) return;
    const saved = state.pools.filter((it) => it.saved_as && it.len && it.name !== "Name").sort((a, b) => b.len - a.len);
    const wanted = filters().with.filter((name) => saved.some((it) => it.name === name));
    choose(wanted.length ? wanted : saved.slice(0, 1).map((it) => it.name));
  };
  if (chosen) choose(chosen);
  const calls = () => chosen?.length
    ? [["world.query", { data: { components: chosen }, filter: filters(), limit: ROWS, ...cursor && { cursor } }, fillIn(cursor)]] : [];
  const renew = () => {
    pools();
    if (versions !== versionsOf()) show(); // the fields of a component changed
  };
  return { calls, pools: () => { first(); if (chosen) renew(); } };
}
