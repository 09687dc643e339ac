// The world: pools, groups, systems, changes, events, resources, snapshots.

import { $, button, bytes, card, fill, h, keep, note, number, s, tried, weak } from "./dom.js";
import { call, read, watch } from "./rpc.js";
import { poke, state } from "./main.js";
import { filterBy, filters } from "./list.js";
import { json } from "./controls.js";
import { mutateResource } from "./undo.js";

/** Lines of a feed, updates that the chart shows, and milliseconds until a watch that ended is begun again. */
const KEPT = 200, SHOWN = 80, PAUSE = 1000;
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

/** A table. `set` shows lines: a name, the cells behind it, and what stands in the place of the name; or `none` if there are none. */
function table(none, ...heads) {
  const head = h("thead", {}, h("tr", {}, heads.map((text) => h("th", {}, text)))), body = h("tbody");
  const line = ([name, , title]) => {
    const cells = heads.slice(1).map(() => h("td"));
    const set = ([, values]) => values.forEach((value, at) => cells[at].textContent === value || cells[at].replaceChildren(value));
    return { element: h("tr", {}, h("td", {}, title ?? name), cells), set };
  };
  return { element: h("div", {}, h("table", {}, head, body), weak(none)), set: (lines) => keep(body, lines, ([name]) => name, line) };
}

/** Each tab: fills an element, and returns what it asks for. */
const tabs = {
  Pools(root) {
    const all = table("This world has no components.", "Component", "", "Entities", "Memory", "");
    root.append(all.element);
    const line = (pool, most) => {
      const tags = ["saved_as", "tracked", "indexed", "relation", "in_columns"].filter((tag) => pool[tag]).map((tag) => tag.replace(/_as|in_/, ""));
      const share = h("meter", { max: most, value: pool.len, ariaLabel: "share" });
      const title = button(pool.name, () => filterBy(pool.name), { className: "link", title: `${pool.type}\nClick to filter` });
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

  Systems(root) {
    const chart = h("div"), history = [];
    const times = table("The program shows no schedules that are timed.", "System", "µs, mean");
    root.append(card("Microseconds of each run", chart), times.element);
    tried(async () => {
      for (const schedule_label of (await call("schedule.list")).schedule_labels) {
        const { steps } = await call("schedule.graph", { schedule_label });
        root.append(card(schedule_label, drawGraph(steps)));
      }
    })();
    const show = (found) => {
      history.push(found.flatMap(({ micros }) => micros));
      if (history.length > SHOWN) history.shift();
      chart.replaceChildren(...drawChart(history));
      const mean = (at) => history.reduce((sum, it) => sum + (it[at]?.[1] ?? 0), 0) / history.length;
      times.set(history.at(-1).map(([name], at) =>
        [`${at} ${name}`, [mean(at).toFixed(1)], [h("span", { className: "swatch", style: { background: hue(at) } }), name]]));
    };
    return { calls: () => [["ecs.times", {}, show]] };
  },

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
      const { element, set } = is_saved ? json("", (path, change) => mutateResource(name, path, change)) : { element: weak("not shown: it is not saved"), set() {} };
      return { element: fill(card(name.split("::").at(-1), element), { title: name }), set: ({ value }) => set(value) };
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
    const line = ({ name, bytes: size }) =>
      [name, [bytes(size)], [name, button("Restore", async () => { await call("ecs.restore", { name }); poke(); })]];
    return { calls: () => [["ecs.snapshots", {}, (found) => all.set(found.map(line))]] };
  },
};

const hue = (at) => `hsl(${at * 47 % 360} 60% 55%)`;

/** Draws a bar for each update, with a piece for each system, and the microseconds of the longest. */
function drawChart(history) {
  const sums = history.map((micros) => micros.reduce((sum, [, took]) => sum + took, 0));
  const most = Math.max(1, ...sums), tops = history.map(() => 100);
  const bars = history.at(-1).map((_, at) => s("path", { stroke: hue(at), d: history.map((micros, x) => {
    const tall = (micros[at]?.[1] ?? 0) / most * 100, from = tops[x];
    tops[x] -= tall;
    return `M${SHOWN - history.length + x + 0.5} ${from}v${-tall}`;
  }).join(" ") }));
  const label = { role: "img", "aria-label": "Microseconds of each system lately" }, viewBox = `0 0 ${SHOWN} 100`;
  return [weak(`at most ${number(Math.round(most))} µs`), s("svg", { ...label, class: "chart", viewBox, preserveAspectRatio: "none" }, bars)];
}

/** Systems in columns: each stands behind those that it waits for. */
function drawGraph(steps) {
  const columns = [], edges = [], boxes = [], wide = 150, tall = 40;
  for (const step of steps.filter(({ kind }) => kind === "system" || kind === "sync")) {
    const before = step.waits_for.map((at) => steps[at]).filter((it) => it.column !== undefined);
    step.column = Math.max(-1, ...before.map((it) => it.column)) + 1;
    const place = (columns[step.column] ??= []).push(step) - 1;
    const [x, y] = [step.x, step.y] = [step.column * wide + 4, place * tall + 4];
    for (const { x: from, y: high } of before) {
      edges.push(s("path", { d: `M${from + 120} ${high + 15} C${from + 138} ${high + 15} ${x - 18} ${y + 15} ${x} ${y + 15}` }));
    }
    const list = (label, names) => names.length ? `\n${label} ${names.join(", ")}` : "";
    const name = step.name.length > 17 ? `${step.name.slice(0, 16)}…` : step.name;
    boxes.push(s("g", { opacity: step.on ? 1 : 0.4, class: step.exclusive ? "exclusive" : "" },
      s("title", {}, `${step.name}${list("reads", step.reads)}${list("writes", step.writes)}`),
      s("rect", { x, y, width: 120, height: 30, rx: 6 }), s("text", { x: x + 8, y: y + 19 }, name)));
  }
  const width = columns.length * wide, viewBox = `0 0 ${width} ${Math.max(1, ...columns.map((it) => it.length)) * tall + 4}`;
  return s("svg", { class: "graph", width, viewBox, role: "img", "aria-label": "Which system waits for which" }, edges, boxes);
}
