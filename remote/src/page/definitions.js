// Definitions: a form that defines a component, or changes the fields of one that is defined.

import { button, card, fill, h, offer, weak } from "./dom.js";
import { call, read } from "./rpc.js";
import { poke } from "./main.js";
import { shape } from "./details.js";

const PLAIN = ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "entity", "text"];
const TYPES = [...PLAIN, ...PLAIN.map((type) => `list of ${type}`)];

/** Returns a type as a request has it. */
const requested = (type) => type.startsWith("list of ") ? { list: type.slice(8) } : type;

/** Returns the type of a shape as the form names it. */
const named = ({ kind, of, number }) => kind === "list" ? `list of ${named(of)}` : kind === "option" ? named(of) : number ?? kind;

/** Returns the paths of all fields that are no records, and their types. */
const leaves = (shape, path = "") => shape.kind === "struct"
  ? shape.of.flatMap(([name, part]) => leaves(part, path ? `${path}.${name}` : name)) : path ? [[path, named(shape)]] : [];

/** Makes the row of a field; of a new one without a path. */
function makeRow(path, type, cut) {
  const name = h("input", { type: "text", value: path, placeholder: "name, or at.x", spellcheck: false, ariaLabel: "Name of the field" });
  const offered = TYPES.includes(type) ? TYPES : [type]; // a list of records stays
  const types = h("select", { ariaLabel: "Type of the field", disabled: offered.length === 1 });
  offer(types, offered, String);
  types.value = type;
  const row = { path, type, name: () => name.value.trim(), chosen: () => types.value };
  const cross = button("×", () => cut(row), { className: "plain", title: `Drop ${path || "this field"}` });
  const element = h("div", { className: "line" }, name, types, cross);
  return Object.assign(row, { element, input: name });
}

/** Returns the fields of a new component: the ones whose names have points are in records. */
function fieldsOf(rows) {
  const fields = [];
  for (const row of rows) {
    const records = row.name().split("."), name = records.pop();
    const list = records.reduce((list, record) => {
      const known = list.find((field) => field.name === record);
      if (known && !known.type.record) throw new Error(`${record} is a field of its own: give the record another name`);
      if (!known) list.push({ name: record, type: { record: [] } });
      return (known ?? list.at(-1)).type.record;
    }, fields);
    list.push({ name, type: requested(row.chosen()) });
  }
  return fields;
}

/** Returns the changes that lead from the fields before to the rows. */
function changesOf(before, rows) {
  const kept = rows.filter((row) => row.path), dropped = before.filter((row) => !rows.includes(row));
  const isKept = (path) => kept.some((row) => `${row.path}.`.startsWith(`${path}.`));
  // A record is dropped with the last one of its fields.
  const drops = new Set(dropped.map(({ path }) => path.split(".").map((_, at, all) => all.slice(0, at + 1).join(".")).find((it) => !isKept(it))));
  const renames = kept.filter((row) => row.name() !== row.path).map((row) => {
    const record = row.path.slice(0, row.path.lastIndexOf(".") + 1), to = row.name().slice(record.length);
    if (!row.name().startsWith(record) || to.includes(".")) throw new Error(`${row.path} stays in its record: change what is behind the last point`);
    if (kept.some((other) => other.path === row.name())) throw new Error(`${row.name()} is another field: rename one after the other`);
    return { rename: { field: row.path, to } };
  });
  const converts = kept.filter((row) => row.chosen() !== row.type).map((row) => ({ convert: { field: row.path, type: requested(row.chosen()) } }));
  const adds = rows.filter((row) => !row.path).map((row) => ({ add: { field: row.name(), type: requested(row.chosen()), value: row.first() } }));
  return [...[...drops].map((field) => ({ drop: { field } })), ...converts, ...renames, ...adds];
}

/** Shows the form in a place, for a new component, or for the one of this name. */
export async function showForm(place, component) {
  let rows = [];
  const title = h("input", { type: "text", placeholder: "Poison", spellcheck: false, ariaLabel: "Name of the component" }), list = h("div");
  const cut = (row) => {
    row.element.remove();
    rows = rows.filter((other) => other !== row);
  };
  const add = (path, type) => {
    const row = makeRow(path, type, cut);
    rows.push(row);
    list.append(row.element);
    if (!path && component) {
      const first = h("input", { type: "text", placeholder: "value, as JSON", spellcheck: false, ariaLabel: "Value of the field" });
      row.element.lastChild.before(first);
      row.first = () => read(first.value || "null");
    }
    return row;
  };
  if (component) leaves(await shape(component)).forEach(([path, type]) => add(path, type));
  const before = rows, end = () => place.replaceChildren();
  const apply = button(component ? "Change" : "Define", async () => {
    if (component) await call("ecs.redefine", { component, changes: changesOf(before, rows) });
    else await call("ecs.define", { component: title.value.trim(), fields: fieldsOf(rows) });
    end();
    poke();
  });
  const lost = "All values change with the fields. Undo does not take that back: dropped values are lost.";
  const more = button("+ field", () => add("", "f32").input.focus(), { className: "plain" });
  const foot = h("div", { className: "head" }, more, h("span", { className: "fill" }), button("Cancel", end, { className: "plain" }), apply);
  const tag = "Without fields it is a tag. The name at.x is the field x of a record.";
  const parts = component ? [`Fields of ${component}`, list, foot, weak(lost)] : ["A new component", title, list, foot, weak(tag)];
  place.replaceChildren(fill(card(...parts), { className: "card draft definition" }));
  if (!component) title.focus();
}
