// The world: pools, groups, systems, changes, events, resources.

import { $, bytes, h, note, number, s, tried } from "./dom.js";
import { call, watch } from "./rpc.js";
import { poke, state } from "./main.js";
import { filterBy, filters } from "./list.js";
import { json } from "./controls.js";
import { edit } from "./undo.js";

const panel = $("panel");
const KEPT = 200;
/** Updates that the chart shows. */
const SHOWN = 80;
let tab = "Pools";

/** Each panel: what it asks for, and how it begins. */
const tabs = { Pools: {}, Groups: {}, Systems: {}, Changes: {}, Events: {}, Resources: {}, Snapshots: {} };

export function start() {
  for (const name of Object.keys(tabs)) {
    $("tabs").append(h("button", { role: "tab", "aria-selected": name === tab, onclick: () => open(name) }, name));
  }
  open(tab);
}

function open(name) {
  tab = name;
  for (const button of $("tabs").children) button.setAttribute("aria-selected", button.textContent === name);
  stop?.abort();
  panel.replaceChildren();
  tabs[name].open?.();
  poke();
}

export const calls = () => panel.clientHeight ? tabs[tab].calls?.() ?? [] : [];

// Pools.

export function showPools(pools) {
  if (tab !== "Pools") return;
  const most = Math.max(1, ...pools.map((pool) => pool.len));
  const rows = [...pools].sort((a, b) => b.len - a.len).map((pool) =>
    h("tr", { className: "pick", tabIndex: 0, title: `${pool.type}\nClick to filter`, onclick: () => filterBy(pool.name), onkeydown: (event) => event.key === "Enter" && filterBy(pool.name) },
      h("td", { className: "name" }, pool.name), h("td", {}, h("meter", { max: most, value: pool.len, "aria-label": "share" })),
      h("td", { className: "number" }, number(pool.len)), h("td", { className: "number" }, bytes(pool.bytes)),
      h("td", { className: "weak" }, [pool.saved_as && "saved", pool.tracked && "tracked", pool.relation && "relation", pool.in_columns && "columns"].filter(Boolean).join(" "))));
  if (panel.contains(document.activeElement)) return; // not under the keyboard
  panel.replaceChildren(table(["Component", "", "Entities", "Memory", ""], rows));
}

const table = (heads, rows) => h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", {}, head)))), h("tbody", {}, rows));

// Groups, and how the present filter is answered.

tabs.Groups.calls = () => [
  ["ecs.groups", {}, (groups) => { tabs.Groups.found = groups; }],
  ["ecs.layout_advice", {}, (advice) => { tabs.Groups.advice = advice.text ?? "This world does not observe its views: Layout::of(&mut world).observe(true)"; }],
  ["ecs.plan", filters(), (plan, error) => {
    if (tab !== "Groups" || error) return;
    const rows = tabs.Groups.found.map((it) => h("tr", {}, h("td", { className: "name" }, it.group), h("td", { className: "number" }, number(it.len))));
    panel.replaceChildren(
      rows.length ? table(["Group", "Members"], rows) : h("div", { className: "weak" }, "This world has no groups."),
      h("section", { className: "card" }, h("h3", {}, "Advice"), h("pre", {}, tabs.Groups.advice)), h("section", { className: "card" }, h("h3", {}, "The present filter"), h("pre", {}, plan.text)));
  }],
];

// Systems: how long each took lately, and which waits for which.

const history = [];
const hue = (at) => `hsl(${at * 47 % 360} 60% 55%)`;

tabs.Systems.open = () => {
  history.length = 0;
  tabs.Systems.parts = { canvas: h("canvas", { role: "img", "aria-label": "Microseconds of each system lately" }), table: h("div"), graphs: h("div", { style: { display: "grid", gap: "10px" } }) };
  panel.append(h("section", { className: "card" }, h("h3", {}, "Microseconds of each run"), tabs.Systems.parts.canvas), tabs.Systems.parts.table, tabs.Systems.parts.graphs);
  tried(async () => {
    const { schedules } = await call("schedule.list");
    for (const { name } of schedules) {
      const graph = await call("schedule.graph", { schedule: name });
      tabs.Systems.parts.graphs.append(h("section", { className: "card" }, h("h3", {}, name), drawGraph(graph.steps)));
    }
  })();
};

tabs.Systems.calls = () => [["ecs.times", {}, (found) => {
  if (tab !== "Systems") return;
  const micros = found.flatMap(({ micros }) => micros);
  history.push(micros);
  if (history.length > SHOWN) history.shift();
  drawChart(tabs.Systems.parts.canvas);
  const mean = (at) => history.reduce((sum, it) => sum + (it[at]?.[1] ?? 0), 0) / history.length;
  const rows = micros.map(([name], at) => h("tr", {}, h("td", { className: "name" }, h("span", { className: "swatch", style: { background: hue(at) } }), name),
    h("td", { className: "number" }, mean(at).toFixed(1))));
  tabs.Systems.parts.table.replaceChildren(rows.length ? table(["System", "µs, mean"], rows) : h("div", { className: "weak" }, "The program shows no schedules that are timed."));
}]];

function drawChart(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const pen = canvas.getContext("2d");
  pen.scale(devicePixelRatio, devicePixelRatio);
  const sums = history.map((micros) => micros.reduce((sum, it) => sum + it[1], 0));
  const most = Math.max(1, ...sums), bar = width / SHOWN;
  history.forEach((micros, x) => {
    let top = height;
    micros.forEach(([, took], at) => {
      const tall = took / most * (height - 16);
      pen.fillStyle = hue(at);
      pen.fillRect((SHOWN - history.length + x) * bar, top - tall, bar - 1, tall);
      top -= tall;
    });
  });
  pen.fillStyle = getComputedStyle(canvas).color;
  pen.font = "11px system-ui";
  pen.fillText(`${most.toFixed(0)} µs`, 4, 11);
}

/** Systems in columns: each stands behind those that it waits for. */
function drawGraph(steps) {
  const shown = steps.map((step, at) => ({ ...step, at })).filter((step) => step.kind === "system" || step.kind === "sync");
  const columns = [];
  for (const step of shown) {
    const before = step.waits_for.map((at) => shown.find((it) => it.at === at)?.column ?? -1);
    step.column = Math.max(-1, ...before) + 1;
    step.place = (columns[step.column] ??= []).push(step) - 1;
  }
  const wide = 150, tall = 40, box = (step) => [step.column * wide + 4, step.place * tall + 4];
  const height = Math.max(1, ...columns.map((it) => it.length)) * tall + 4;
  const edges = shown.flatMap((step) => step.waits_for.map((at) => shown.find((it) => it.at === at)).filter(Boolean).map((from) => {
    const [x1, y1] = box(from), [x2, y2] = box(step);
    return s("path", { d: `M${x1 + 120} ${y1 + 15} C${x1 + 138} ${y1 + 15} ${x2 - 18} ${y2 + 15} ${x2} ${y2 + 15}` });
  }));
  const boxes = shown.map((step) => {
    const [x, y] = box(step);
    const list = (label, names) => names.length ? `\n${label} ${names.join(", ")}` : "";
    const text = step.name.length > 17 ? `${step.name.slice(0, 16)}…` : step.name;
    return s("g", { opacity: step.on ? 1 : 0.4 }, s("title", {}, `${step.name}${list("reads", step.reads)}${list("writes", step.writes)}`),
      s("rect", { x, y, width: 120, height: 30, rx: 6, ...(step.exclusive && { style: "stroke: var(--accent)" }) }), s("text", { x: x + 8, y: y + 19 }, text));
  });
  return s("svg", { class: "graph", viewBox: `0 0 ${Math.max(3, columns.length) * wide} ${height}`, role: "img", "aria-label": "Which system waits for which" }, ...edges, ...boxes);
}

// Changes and events, as they arrive.

let stop = null;

function feed(label, names, follow, more) {
  const lines = h("div", { className: "feed" });
  const select = h("select", { "aria-label": label }, h("option", { value: "" }, label), ...names.map((name) => h("option", { value: name }, name)));
  select.onchange = async () => {
    stop?.abort();
    stop = new AbortController();
    lines.replaceChildren();
    let last = {};
    if (!select.value) return;
    try {
      for await (const text of follow(select.value, stop.signal)) {
        if (text === last.text) {
          last.line.firstChild.textContent = `${new Date().toLocaleTimeString()} (${++last.count}×) `;
          continue;
        }
        last = { text, count: 1, line: h("div", {}, h("span", { className: "weak" }, `${new Date().toLocaleTimeString()} `), text) };
        lines.prepend(last.line);
        while (lines.childElementCount > KEPT) lines.lastChild.remove();
      }
    } catch (error) {
      if (error.name !== "AbortError") note(error);
    }
  };
  panel.append(h("div", { className: "head" }, select, more?.(select)), lines);
}

tabs.Changes.open = () => feed("which component?", state.pools.filter((pool) => pool.tracked).map((pool) => pool.name), async function* (component, signal) {
  for await (const news of watch("ecs.changes+watch", { component }, signal)) {
    for (const what of ["inserted", "changed", "removed"]) {
      const { count, entities } = news[what];
      if (count) yield `${what} ${count}: ${entities.slice(0, 12).join(" ")}${count > 12 ? " …" : ""}`;
    }
  }
});

tabs.Events.open = tried(async () => {
  const { events } = await call("ecs.events");
  if (!events.length) return panel.append(h("div", { className: "weak" }, "The program names no events: Options::event does."));
  feed("which event?", events, async function* (event, signal) {
    for await (const news of watch("world.observe+watch", { event }, signal)) yield* news.events.map((it) => JSON.stringify(it));
  }, (select) => {
    const value = h("input", { type: "text", placeholder: "value as JSON", "aria-label": "Value of the event" });
    const send = tried(() => call("world.trigger_event", { event: select.value, value: JSON.parse(value.value || "null") }));
    return [value, h("button", { onclick: send }, "Send")];
  });
});

// Resources, as JSON.

tabs.Resources.open = () => { tabs.Resources.cards = new Map(); };
tabs.Resources.calls = () => [["world.list_resources", {}, (names) => {
  if (tab !== "Resources") return;
  for (const name of names.filter((name) => !tabs.Resources.cards.has(name))) {
    const value = json("", (path, value, before) => edit(name,
      () => call("world.insert_resources", { resource: name, value }), () => call("world.insert_resources", { resource: name, value: before })));
    const card = h("section", { className: "card" }, h("h3", { title: name }, name.split("::").at(-1)), h("div", { className: "fields", style: { gridTemplateColumns: "1fr" } }, value.element));
    tabs.Resources.cards.set(name, value);
    panel.append(card);
  }
}], ...[...tabs.Resources.cards ?? []].map(([resource, card]) => ["world.get_resources", { resource }, (found, error) => {
  if (error) card.element.replaceWith(h("span", { className: "weak" }, error.message));
  else card.set(found.value);
}])];

// Snapshots.

tabs.Snapshots.open = () => {
  const name = h("input", { type: "text", value: "now", "aria-label": "Name of the snapshot" });
  const list = tabs.Snapshots.list = h("div");
  const take = tried(async () => {
    const { left_out } = await call("ecs.snapshot", { name: name.value });
    if (left_out.length) note(`not saved: ${left_out.join(", ")}`);
    poke();
  });
  panel.append(h("div", { className: "head" }, name, h("button", { onclick: take }, "Take a snapshot")), list,
    h("div", { className: "weak" }, "To restore one replaces the whole world: what is not saved is lost."));
};
tabs.Snapshots.calls = () => [["ecs.snapshots", {}, (all) => {
  const rows = all.map((it) => h("tr", {}, h("td", { className: "name" }, it.name), h("td", { className: "number" }, bytes(it.bytes)),
    h("td", {}, h("button", { onclick: tried(async () => { await call("ecs.restore", { name: it.name }); poke(); }) }, "Restore"))));
  tabs.Snapshots.list?.replaceChildren(rows.length ? table(["Snapshot", "Size", ""], rows) : "");
}]];
