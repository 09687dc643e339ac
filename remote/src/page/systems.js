// The times of systems and frames, and which system waits for which.

import { button, card, fill, h, keep, number, s, table, tried, weak } from "./dom.js";
import { call } from "./rpc.js";
import { poke } from "./main.js";

/** Frames that the chart shows, and systems that a line of a bad frame names. */
const SHOWN = 120, NAMED = 3;

const hue = (at) => `hsl(${at * 47 % 360} 60% 55%)`;
const swatch = (at) => h("span", { className: "swatch", style: { background: hue(at) } });
const micros = (value) => value < 9.95 ? value.toFixed(1) : number(Math.round(value));
const time = (value) => value < 1000 ? `${micros(value)} µs` : `${(value / 1000).toFixed(1)} ms`;

/** The tab: fills an element, and returns what it asks for. */
export function systems(root) {
  const chart = h("div"), worst = h("div", { className: "worst" }), whole = weak();
  let order = "most", after = 0, frames = [];
  const heads = [["schedule", "System"], ["mean", "mean"], ["p99", "p99"], ["most", "max"]].map(([key, text]) => {
    const sort = () => {
      order = key;
      heads.forEach((head) => { head.ariaSort = head === own ? "descending" : "none"; });
      poke();
    };
    const own = button(text, sort, { className: "plain", title: "Sort by this", ariaSort: key === order ? "descending" : "none" });
    return own;
  });
  const times = table("The program shows no schedules that are timed.", ...heads);
  const anew = () => [after, frames] = [0, []];
  const forget = async () => {
    await call("ecs.frames", { forget: true });
    anew();
    poke();
  };
  root.append(card("Microseconds of each frame", chart), h("div", { className: "head" }, whole, h("span", { className: "fill" }),
    button("Begin anew", forget, { title: "Forget the times of all frames" })), times.element, card("Worst frames", worst));
  tried(async () => {
    for (const schedule_label of (await call("schedule.list")).schedule_labels) {
      const { steps } = await call("schedule.graph", { schedule_label });
      root.append(card(schedule_label, drawGraph(steps)));
    }
  })();
  const show = (found) => {
    const { systems } = found, last = found.last.at(-1)?.number ?? after;
    if (last < after || frames.some((it) => it.systems.length !== systems.length)) anew();
    after = last;
    frames = [...frames, ...found.last].slice(-SHOWN);
    chart.replaceChildren(...drawChart(frames, systems));
    const { runs, mean, p99, most } = found.frames;
    fill(whole, { textContent: runs ? `${number(runs)} frames: mean ${time(mean)}, p99 ${time(p99)}, max ${time(most)}` : "no frames yet" });
    const lines = systems.map((it, at) => ({ ...it, at }));
    if (order !== "schedule") lines.sort((a, b) => b[order] - a[order]);
    times.set(lines.map((it) => [`${it.at} ${it.name}`, [micros(it.mean), micros(it.p99), micros(it.most)],
      h("span", { title: `${it.schedule}, ${number(it.runs)} frames` }, swatch(it.at), it.name)]));
    keep(worst, found.worst, ({ number }) => number, (frame) => makeFrame(frame, systems));
  };
  return { calls: () => [["ecs.frames", { after }, show]] };
}

/** A bad frame: its age and time, and the systems that took most of it. */
function makeFrame({ micros: took, systems: all, number: of }, systems) {
  const age = weak(), longest = all.map((micros, at) => ({ micros, at })).sort((a, b) => b.micros - a.micros).slice(0, NAMED);
  const bar = h("div", { className: "share" }, all.map((micros, at) =>
    h("span", { style: { width: `${100 * micros / took}%`, background: hue(at) } })));
  const part = ({ micros, at }) => h("span", {}, swatch(at), `${systems[at].name} ${time(micros)}`);
  const parts = h("div", { className: "parts" }, longest.filter((it) => it.micros >= took / 100).map(part));
  const element = h("div", {}, h("div", { className: "head" }, h("strong", {}, time(took)), `frame ${of}`, age), bar, parts);
  const set = ({ seconds_ago: seconds }) => {
    const text = seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
    fill(age, { textContent: `${text} ago` });
  };
  return { element, set };
}

/** Draws a bar for each frame, with a piece for each system, and the time of the longest. */
function drawChart(frames, systems) {
  const most = Math.max(1, ...frames.map(({ micros }) => micros)), tops = frames.map(() => 100);
  const bars = systems.map((_, at) => s("path", { stroke: hue(at), d: frames.map(({ systems }, x) => {
    const tall = systems[at] / most * 100, from = tops[x];
    tops[x] -= tall;
    return `M${SHOWN - frames.length + x + 0.5} ${from}v${-tall}`;
  }).join(" ") }));
  const label = { role: "img", "aria-label": "Microseconds of each system lately" }, viewBox = `0 0 ${SHOWN} 100`;
  return [weak(`the last ${SHOWN} frames, at most ${number(Math.round(most))} µs`),
    s("svg", { ...label, class: "chart", viewBox, preserveAspectRatio: "none" }, bars)];
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
