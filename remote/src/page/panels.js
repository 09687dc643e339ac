// The world: pools, groups, systems, tables, changes, events, resources, snapshots, prefabs.

import { $, button, bytes, card, fill, h, keep, note, number, table, tried, weak } from "./dom.js";
import { call, read, watch } from "./rpc.js";
import { poke, state } from "./main.js";
import { filterBy, filters } from "./list.js";
import { control } from "./controls.js";
import { shape } from "./details.js";
import { queryTable } from "./query.js";
import { showForm } from "./definitions.js";
import { systems } from "./systems.js";
import { mutateResource, spawnPrefab } from "./undo.js";

/** Lines of a feed, and milliseconds until a watch that ended is begun again. */
const KEPT = 200, PAUSE = 1000;
let tab = "Pools", shown = {}, stop;

export function start() {
  for (const name of Object.keys(tabs)) $("tabs").append(h("button", { role: "tab", onclick: () => open(name) }, name));
  open();
}

/** Opens a tab, or the present one anew. An answer to what another tab asked for does not find the new one's elements. */
export function open(name = tab) {
  tab = name;
  for (const button of $("tabs").children) button.setAttribute("aria-selected", button.textContent === name);
  stop?.abort();
  stop = new AbortController();
  const root = h("div", { className: "cards" });
  $("panel").replaceChildren(root);
  shown = tabs[name](root, stop.signal);
  poke();
}

export const calls = () => $("panel").clientHeight ? shown.calls?.() ?? [] : [];
export const showPools = () => shown.pools?.();

/** Each tab: fills an element, and returns what it asks for. */
const tabs = {
  Pools(root) {
    const all = table("This world has no components.", "Component", "", "Entities", "Memory", ""), form = h("div");
    root.append(h("div", { className: "head" }, button("Define a component", () => showForm(form))), form, all.element);
    const line = (pool, most) => {
      const tags = ["saved_as", "tracked", "indexed", "relation", "in_columns"].filter((tag) => pool[tag]).map((tag) => tag.replace(/_as|in_/, ""));
      const share = h("meter", { max: most, value: pool.len, ariaLabel: "share" });
      const filter = button(pool.name, () => filterBy(pool.name), { className: "link", title: `${pool.type}\nClick to filter` });
      const edit = () => button("fields", () => showForm(form, pool.name), { className: "plain", title: `Change the fields of ${pool.name}` });
      const title = h("span", {}, filter, pool.defined && edit());
      return [pool.name, [share, number(pool.len), bytes(pool.bytes), weak(tags.join(" "))], title];
    };
    const pools = () => {
      const sorted = [...state.pools].sort((a, b) => b.len - a.len);
      all.set(sorted.map((pool) => line(pool, Math.max(1, sorted[0].len))));
    };
    return { pools };
  },

  Groups(root) {
    const groups = table("This world has no groups.", "Group", "Members"), plan = h("pre");
    root.append(groups.element, card("The present filter", plan));
    const calls = () => [
      ["ecs.groups", {}, (found) => groups.set(found.map((it) => [it.group, [number(it.len)]]))],
      ["ecs.plan", filters(), ({ text }) => fill(plan, { textContent: text }), ({ message }) => fill(plan, { textContent: message })],
    ];
    return { calls };
  },

  Systems: systems,

  Table: queryTable,

  Watches(root, signal) {
    const lines = h("div", { className: "feed" }), none = h("option", { value: "" }, "watch ..");
    const select = h("select", { ariaLabel: "Changes or events" }, none);
    const value = h("input", { type: "text", placeholder: "value as JSON", ariaLabel: "Value of the event" });
    const send = () => call("world.trigger_event", { event: select.value, value: read(value.value || "null") });
    const sender = h("span", { className: "line", hidden: true }, value, button("Send", send));
    root.append(h("div", { className: "head" }, select, sender), lines);
    const addAll = (label, names) => select.append(h("optgroup", { label }, names.map((name) => h("option", {}, name))));
    addAll("Changes", state.pools.filter((pool) => pool.tracked).map((pool) => pool.name));
    tried(async () => addAll("Events", (await call("ecs.events")).events))();
    let last, end;
    const add = (text) => {
      const time = new Date().toLocaleTimeString(), isSame = text === last?.text;
      if (!isSame) last = { text, count: 0, time: weak() };
      last.time.textContent = ++last.count > 1 ? `${time} (${last.count}×) ` : `${time} `;
      if (!isSame) lines.prepend(h("div", {}, last.time, text));
      if (lines.childElementCount > KEPT) lines.lastChild.remove();
    };
    select.onchange = async () => {
      end?.abort();
      end = new AbortController();
      const name = select.value, own = AbortSignal.any([signal, end.signal]);
      const isEvent = select.selectedOptions[0].parentElement.label === "Events";
      fill(sender, { hidden: !isEvent });
      lines.replaceChildren();
      last = null;
      while (name && !own.aborted) {
        try {
          if (isEvent) for await (const news of watch("world.observe+watch", { event: name }, own)) news.forEach((it) => add(JSON.stringify(it)));
          else for await (const news of watch("ecs.changes+watch", { component: name }, own)) Object.entries(news).forEach(showChange);
          add("the watch ended");
        } catch (error) {
          if (!own.aborted) add(error.message);
        }
        await new Promise((next) => setTimeout(next, PAUSE));
      }
    };
    const showChange = ([what, { count, entities }]) =>
      count && add(`${what} ${count}: ${entities.slice(0, 12).join(" ")}${count > 12 ? " …" : ""}`);
    return {};
  },

  Resources(root) {
    const make = ({ name, is_saved }) => {
      const box = h("div"), why = weak(), edit = (path, change) => mutateResource(name, path, change);
      let inner, now;
      const begin = (found) => {
        if (inner) return;
        inner = found ? control(found, "", edit) : { element: weak("not shown: it is not saved"), set() {} };
        inner.element.ariaLabel ??= name;
        box.append(inner.element);
        inner.set(now);
      };
      const set = ({ value, error }) => {
        now = value;
        [[why, !error], [box, Boolean(error)]].forEach(([element, hidden]) => fill(element, { hidden }));
        if (error) return fill(why, { textContent: error.message });
        if (inner) inner.set(value);
        else if (is_saved) shape(name, "resources").then(begin, () => {});
        else begin();
      };
      return { element: fill(card(name.split("::").at(-1), h("div", {}, why, box)), { title: name }), set };
    };
    return { calls: () => [["ecs.resources", {}, (all) => keep(root, all, ({ name }) => name, make)]] };
  },

  Snapshots(root) {
    const name = h("input", { type: "text", value: "now", ariaLabel: "Name of the snapshot" });
    const all = table("There are none yet.", "Snapshot", "Size"), warning = "To restore one replaces the whole world: what is not saved is lost.";
    const take = button("Take a snapshot", async () => {
      const { left_out } = await call("ecs.snapshot", { name: name.value });
      if (left_out.length) note(`not saved: ${left_out.join(", ")}`);
      poke();
    });
    root.append(h("div", { className: "head" }, name, take), all.element, weak(warning));
    const act = (text, method, name, properties) => button(text, async () => { await call(method, { name }); poke(); }, properties);
    const line = ({ name, bytes: size }) => [name, [bytes(size)],
      [name, act("Restore", "ecs.restore", name), act("×", "ecs.forget_snapshot", name, { className: "plain", title: `Forget ${name}` })]];
    return { calls: () => [["ecs.snapshots", {}, (found) => all.set(found.map(line))]] };
  },

  Prefabs(root) {
    const name = h("input", { type: "text", value: "prefab", ariaLabel: "Name of the prefab" });
    const all = table("There are none yet.", "Prefab", "Size");
    const text = h("textarea", { rows: 8, spellcheck: false, ariaLabel: "Text of the prefab", placeholder: '{ "components": { .. } }' });
    const put = async (params) => {
      const { bytes: size } = await call("ecs.keep_prefab", { name: name.value, ...params });
      note(`${name.value}: ${bytes(size)} kept`);
      poke();
    };
    const take = button("Keep the picked entity", () => {
      if (!state.picked) throw new Error("pick the entity that copies are made of");
      return put({ entity: state.picked });
    });
    const keepText = button("Keep this text", () => put({ json: text.value }));
    const copies = h("input", { type: "number", min: 1, value: 1, ariaLabel: "Copies" });
    root.append(h("div", { className: "head" }, name, take), all.element, h("div", { className: "head" }, weak("Spawn"), copies, weak("at a time")),
      card("As text", text, h("div", { className: "head" }, keepText)),
      weak("A prefab is an entity with all below it, as far as that is saved. It is kept until the program ends."));
    const show = (of) => async () => {
      name.value = of;
      text.value = JSON.stringify(read((await call("ecs.get_prefab", { name: of })).json), null, 2);
    };
    const line = ({ name, bytes: size }) => [name, [bytes(size)], [name,
      button("Spawn", () => spawnPrefab(name, Number(copies.value))), button("Text", show(name), { className: "plain" }),
      button("×", async () => { await call("ecs.forget_prefab", { name }); poke(); }, { className: "plain", title: `Forget ${name}` })]];
    return { calls: () => [["ecs.prefabs", {}, (found) => all.set(found.map(line))]] };
  },
};
