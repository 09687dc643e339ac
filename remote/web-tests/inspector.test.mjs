// Stories of people who look at a world in Chromium.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, closeBrowser, component, executablePath, named, open, serve, until } from "./page.mjs";

const options = { skip: !executablePath && "no Chromium here" };
let demo;
before(async () => { if (executablePath) demo = await serve("--pause", "--entities", "100000"); });
after(async () => { demo?.end(); await closeBrowser(); });

/** Runs a story on a page of its own, whose console stays without errors. */
const story = (name, tell, { mayFail = /^$/, ...view } = {}) => test(name, options, async () => {
  const { page, errors, close } = await open(demo.address, view);
  try {
    await tell(page, demo.address);
    assert.deepEqual(errors.filter((text) => !mayFail.test(text)), []);
  } finally {
    await close();
  }
});

/** Picks an entity by its name, and returns it. */
async function pick(page, name) {
  await page.locator("#text").fill(name);
  await page.locator(".row", { hasText: name }).first().click();
  await page.locator("#details h2", { hasText: name }).waitFor();
  return (await page.locator(".row[aria-selected=true]").getAttribute("data-entity"));
}

const children = async (address, entity) => (await call(address, "ecs.tree", { relation: "ChildOf", entity })).total;

/** Holds back the answers to requests that name a method. Returns what lets them go. */
async function hold(page, method) {
  let release;
  const isReleased = new Promise((next) => { release = next; });
  await page.route("**/", async (route) => {
    if (!route.request().postData()?.includes(`"${method}"`)) return route.fallback();
    const response = await route.fetch();
    await isReleased;
    await route.fulfill({ response });
  });
  return release;
}

/** Waits until the page has asked for all and shown it, so many times. */
async function updates(page, times = 2) {
  for (let at = 0; at < times; at++) await page.waitForResponse((response) => response.request().postData()?.includes("ecs.pools"));
}

const card = (page, name) => page.locator(`[data-component=${name}]`);

story("an edited value changes the world, and undo takes it back", async (page, address) => {
  const entity = await pick(page, "ship 1");
  const field = card(page, "Position").getByLabel("x").or(card(page, "Position").locator("input").first());
  await field.first().fill("42.5");
  await field.first().press("Enter");
  await until(async () => (await component(address, entity, "Position")).x === 42.5, "the world has the value");
  await page.locator("#undo").click();
  await until(async () => (await component(address, entity, "Position")).x === 0, "the old value is back");
});

story("a value that the program changes is shown", async (page, address) => {
  const entity = await pick(page, "ship 2");
  await call(address, "world.mutate_components", { entity, component: "Position", path: ".y", value: 17 });
  await page.waitForFunction(() => document.querySelectorAll("[data-component=Position] input")[1]?.value === "17");
});

story("an enum gets another variant, and fields of it", async (page, address) => {
  const entity = await pick(page, "gun");
  await card(page, "Plan").locator("select").selectOption("Go");
  await card(page, "Plan").locator("input[type=number]").first().fill("8");
  await card(page, "Plan").locator("input[type=number]").first().press("Enter");
  await card(page, "Plan").getByText("+ add").click();
  await until(async () => {
    const plan = (await component(address, entity, "Plan")).Go;
    return plan?.to.x === 8 && plan.stops.length === 1;
  }, "the plan is to go to 8, with one stop");
  await card(page, "Shield").locator("input[type=checkbox]").click();
  await until(async () => !(await component(address, entity, "Shield")).is_up, "the shield is down");
});

story("a value that JSON cannot write is an error in its place", async (page, address) => {
  const entity = await pick(page, "probe");
  await card(page, "Chart").getByText("`Chart` cannot be written as JSON").waitFor();
  await card(page, "Thrust").locator("input").first().waitFor();
  const [row] = await call(address, "world.query", { data: { components: ["Serial", "chart"] } });
  assert.deepEqual([Object.keys(row.components), Object.keys(row.errors)], [["Serial"], ["chart"]]);
  assert.ok(entity);
});

story("a component is added and removed, and comes back by undo", async (page, address) => {
  const entity = await pick(page, "fleet");
  await page.getByTitle("Add a component").selectOption("Position");
  await card(page, "Position").waitFor();
  assert.deepEqual(await component(address, entity, "Position"), { x: 0, y: 0 });
  await call(address, "world.mutate_components", { entity, component: "Position", path: ".x", value: 5 });
  await page.waitForFunction(() => document.querySelector("[data-component=Position] input")?.value === "5");
  await page.getByTitle("Remove Position").click();
  await until(async () => !(await component(address, entity, "Position")), "it is gone");
  await page.keyboard.press("Control+z");
  await until(async () => (await component(address, entity, "Position"))?.x === 5, "it is back with its value");
  await call(address, "world.remove_components", { entity, components: ["Position"] });
});

story("an undo takes back an edit whose answer is on its way", async (page, address) => {
  const entity = await pick(page, "ship 3");
  const first = card(page, "Position").locator("input").first();
  await first.fill("1.5");
  await first.press("Enter");
  await until(async () => (await component(address, entity, "Position")).x === 1.5, "the world has the first edit");
  const release = await hold(page, "ecs.take");
  await page.getByTitle("Remove Position").click();
  await until(async () => !(await component(address, entity, "Position")), "it is gone");
  await page.keyboard.press("Control+z");
  release();
  await until(async () => (await component(address, entity, "Position"))?.x === 1.5, "the second edit is taken back, not the first");
});

story("an entity is spawned, given a parent, despawned, and comes back", async (page, address) => {
  const before = (await call(address, "ecs.entities", { limit: 0 })).total;
  await page.locator("#spawn").click();
  await page.locator("#details h2", { hasText: "unnamed" }).waitFor();
  const fleet = await named(address, "fleet");
  await page.getByLabel("Parent").fill(fleet);
  await page.getByLabel("Parent").press("Enter");
  await until(async () => (await page.getByLabel("Parent").inputValue()) === fleet && await children(address, fleet) === 5, "it has a parent");
  await page.getByText("Despawn").click();
  await until(async () => (await call(address, "ecs.entities", { limit: 0 })).total === before, "it is gone");
  await page.locator("#undo").click();
  await until(async () => await children(address, fleet) === 5, "it is a child again");
  for (let at = 0; at < 2; at++) await page.locator("#undo").click();
});

story("a tree is despawned and comes back under its handles, with its children", async (page, address) => {
  const entity = await pick(page, "ship 3");
  await page.getByText("Despawn").click();
  await until(async () => !(await named(address, "ship 3")), "the ship is gone");
  await page.locator("#undo").click();
  await until(async () => await named(address, "ship 3"), "the ship is back");
  const ship = await named(address, "ship 3");
  assert.equal(ship, entity);
  await until(async () => (await call(address, "ecs.tree", { relation: "ChildOf", entity: ship })).rows[0]?.name === "gun", "with its gun");
});

story("a tree by a relation opens by the keyboard", async (page) => {
  await page.locator("#relation").selectOption("ChildOf");
  // The list has a fleet and ships, too, until the tree has come.
  await page.locator(".row[role=treeitem]", { hasText: "fleet" }).click();
  await page.locator("#rows").press("ArrowRight");
  await page.locator(".row[role=treeitem]", { hasText: "ship 1" }).waitFor();
  await page.locator("#rows").press("ArrowDown");
  await page.locator("#details h2", { hasText: "ship" }).waitFor();
  await page.locator("#rows").press("ArrowUp");
  await page.locator("#rows").press("ArrowLeft");
  await page.locator(".row", { hasText: "ship 1" }).waitFor({ state: "detached" });
});

story("a hundred thousand entities scroll with little traffic", async (page) => {
  const sizes = [];
  page.on("response", async (response) => sizes.push((await response.body().catch(() => "")).length));
  const elements = await page.evaluate(async () => {
    const rows = document.querySelector("#rows");
    for (let at = 0; at <= 40; at++) {
      rows.scrollTop = rows.scrollHeight * at / 40;
      await new Promise(requestAnimationFrame);
    }
    return rows.querySelectorAll("*").length;
  });
  await page.locator(".row", { hasText: "100008v1" }).waitFor();
  assert.ok(sizes.length > 0 && Math.max(...sizes) <= 20_000, `${Math.max(...sizes)} bytes`);
  assert.ok(elements < 400, `${elements} elements`);
});

story("a filter by components narrows the list, and says how it is answered", async (page) => {
  await page.locator("tr").getByText("Shield").click();
  await page.waitForFunction(() => [...document.querySelectorAll(".row")].length === 4);
  await page.getByRole("tab", { name: "Groups" }).click();
  await page.locator("#panel", { hasText: "walks the 4 members of `Shield`" }).waitFor();
  await page.getByText("with Shield").click();
  await page.getByText("without Shield").waitFor();
  await page.getByTitle("Remove this filter").click();
  await page.locator(".chip").waitFor({ state: "detached" });
});

story("changes and events arrive as they happen", async (page, address) => {
  const entity = await named(address, "ship 0");
  await page.getByRole("tab", { name: "Watches" }).click();
  await page.getByLabel("Changes or events").selectOption("Position");
  let x = 0;
  await until(async () => {
    await call(address, "world.mutate_components", { entity, component: "Position", path: ".x", value: ++x });
    return await page.locator(".feed", { hasText: `changed 1: ${entity}` }).count();
  }, "the change is shown");
  await page.getByLabel("Changes or events").selectOption("explosion");
  await page.getByLabel("Value of the event").fill('{"power":7}');
  await until(async () => {
    await page.getByRole("button", { name: "Send" }).click();
    return await page.locator(".feed", { hasText: '{"power":7}' }).count();
  }, "the event is shown");
  await until(async () => await named(address, "crater of 7"), "an observer was notified");
});

story("systems are timed and drawn", async (page) => {
  await page.getByRole("tab", { name: "Systems" }).click();
  await page.locator("tr", { hasText: "measure" }).waitFor();
  await page.locator("svg.graph text", { hasText: "bounce" }).waitFor();
  await page.waitForFunction(() => document.querySelector(".chart path")?.getTotalLength() > 0);
});

story("a resource is edited, and a snapshot restored", async (page, address) => {
  await page.getByRole("tab", { name: "Snapshots" }).click();
  await page.getByText("Take a snapshot").click();
  await page.getByText("Restore", { exact: true }).waitFor();
  await call(address, "world.despawn_entity", { entity: await named(address, "ship 0") });
  await page.getByText("Restore", { exact: true }).click();
  await until(async () => await named(address, "ship 0"), "the ship is back");
  await page.getByRole("tab", { name: "Resources" }).click();
  const field = page.locator(".card", { hasText: "Clock" }).getByLabel("frames");
  await field.fill("1000000");
  await field.press("Enter");
  await until(async () => (await call(address, "world.get_resources", { resource: "clock" })).value.frames >= 1000000, "the clock is set");
});

story("a narrow page shows one part at a time", async (page) => {
  assert.ok(await page.locator("#list").isVisible() && !await page.locator("#panels").isVisible());
  await page.locator(".row", { hasText: "fleet" }).click();
  await page.locator("#details h2", { hasText: "fleet" }).waitFor();
  await page.locator("nav button", { hasText: "World" }).click();
  await page.locator("tr", { hasText: "Position" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
}, { width: 400, height: 700, colorScheme: "dark" });

story("a click that takes its time picks the row, and unfolds a node", async (page) => {
  const slowly = async (target) => {
    await target.waitFor();
    const { x, y, width, height } = await target.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await updates(page, 3);
    await page.mouse.up();
  };
  await slowly(page.locator(".row", { hasText: "fleet" }));
  await page.locator("#details h2", { hasText: "fleet" }).waitFor();
  await page.locator("#relation").selectOption("ChildOf");
  await slowly(page.locator(".row", { hasText: "fleet" }).locator(".fold"));
  await page.locator(".row", { hasText: "ship 1" }).waitFor();
});

story("keys that are faster than answers pick the row that they lead to", async (page, address) => {
  const { rows } = await call(address, "ecs.entities", { limit: 200 });
  await page.locator(".row").first().click();
  const release = await hold(page, "ecs.entities");
  for (let at = 0; at < 120; at++) await page.locator("#rows").press("ArrowDown");
  release();
  await page.locator(`.row[aria-selected=true][data-entity="${rows[120].entity}"]`).waitFor();
  await page.locator("#rows").press("End");
  const { total } = await call(address, "ecs.entities", { limit: 0 });
  await page.locator(`.row[aria-selected=true][aria-posinset="${total}"]`).waitFor();
});

story("all children of a large node are shown", async (page, address) => {
  const { entity } = await call(address, "world.spawn_entity", { components: { "ecs::Name": "crowd" } });
  for (let at = 0; at < 300; at++) await call(address, "world.spawn_entity", { components: { "ecs::Name": `one ${at}`, ChildOf: entity } });
  await page.locator("#relation").selectOption("ChildOf");
  await page.locator(".row", { hasText: "crowd" }).locator(".fold").click();
  await page.locator(".row", { hasText: "one 0" }).first().waitFor();
  await page.locator("#rows").press("End");
  await page.locator(".row", { hasText: "one 299" }).waitFor();
  await call(address, "world.despawn_entity", { entity });
});

story("two quick edits of a list both count, and both are taken back", async (page, address) => {
  const entity = await pick(page, "gun");
  const stops = async () => (await component(address, entity, "Plan")).Go?.stops.length;
  await call(address, "world.insert_components", { entity, components: { Plan: { Go: { to: { x: 0, y: 0 }, with: null, stops: [] } } } });
  const add = card(page, "Plan").getByText("+ add");
  await add.waitFor();
  const release = await hold(page, "ecs.entity");
  await add.click();
  await add.click();
  await until(async () => await stops() === 2, "there are two");
  release();
  for (const left of [1, 0]) {
    await page.locator("#undo").click();
    await until(async () => await stops() === left, `${left} are left`);
  }
});

story("an edit that is refused says why, and the world's value is shown again", async (page, address) => {
  const entity = await pick(page, "ship 2");
  const parent = page.getByLabel("Parent"), fleet = await named(address, "fleet");
  await until(async () => await parent.inputValue() === fleet, "its parent is shown");
  await parent.fill(entity);
  await parent.press("Enter");
  await page.locator("#notes div").waitFor();
  await until(async () => await parent.inputValue() === fleet, "its parent is shown again");
  assert.ok(await page.locator("#undo").isDisabled());
  await page.getByRole("tab", { name: "Resources" }).click();
  const field = page.locator(".card", { hasText: "Clock" }).getByLabel("frames");
  await until(async () => Number(await field.inputValue()) > 0, "the clock is shown");
  await field.fill("-1.5");
  await field.press("Enter");
  await updates(page);
  assert.equal(await field.inputValue(), "-1.5");
  await field.press("Escape");
  await until(async () => Number(await field.inputValue()) > 0, "the clock is shown again");
});

story("a box that has the focus shows what the program sets", async (page, address) => {
  const entity = await pick(page, "gun");
  const box = card(page, "Shield").locator("input[type=checkbox]");
  await box.focus();
  for (const value of [false, true]) {
    await call(address, "world.mutate_components", { entity, component: "Shield", path: ".is_up", value });
    await until(async () => await box.isChecked() === value, `it is ${value}`);
  }
});

story("a number of more digits than JavaScript has stays exact", async (page, address) => {
  const frames = async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "world.get_resources", params: { resource: "clock" } });
    const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    return (await answer.text()).match(/"frames":(\d+)/)[1];
  };
  /** All numbers that the page was sent. */
  const sent = new Set();
  page.on("response", async (response) => {
    const text = await response.text().catch(() => "");
    for (const [, number] of text.matchAll(/"frames":(\d+)/g)) sent.add(number);
  });
  await page.getByRole("tab", { name: "Resources" }).click();
  const field = page.locator(".card", { hasText: "Clock" }).getByLabel("frames");
  await field.fill("9007199254740993");
  await field.press("Enter");
  await until(async () => (await frames()).startsWith("900719925474"), "the clock is set");
  await until(async () => {
    const shown = await field.inputValue();
    return shown && sent.has(shown) && BigInt(shown) > 2n ** 53n && BigInt(shown) % 2n;
  }, "an odd number is shown as it is");
  const set = async (frames) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"world.insert_resources","params":{"resource":"clock","value":{"frames":${frames},"is_running":false}}}`;
    await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  };
  await set("18446744073709500001");
  const box = page.locator(".card", { hasText: "Clock" }).getByLabel("is_running");
  await until(async () => await field.inputValue() >= "18446744073709500001", "the number is shown");
  await box.click();
  await until(async () => (await call(address, "world.get_resources", { resource: "clock" })).value.is_running, "it runs");
  const after = BigInt(await frames()) - 18446744073709500001n;
  assert.ok(after >= 0n && after < 20000n, `the number went on: ${after}`);
  await set("1");
});

story("the shape of a component is asked for again when it did not come", async (page) => {
  let refused = 0;
  await page.route("**/", (route) => {
    const isFirst = route.request().postData()?.includes('"ecs.shapes"') && refused++ < 2;
    return isFirst ? route.fulfill({ status: 503, body: "busy" }) : route.fallback();
  });
  await pick(page, "ship 1");
  await card(page, "Position").locator("input[type=number]").first().waitFor();
}, { mayFail: /503/ });

story("a tab that was left shows nothing in another one", async (page) => {
  const release = await hold(page, "schedule.list");
  const tab = (name) => page.getByRole("tab", { name }).click();
  for (const name of ["Systems", "Pools", "Systems"]) await tab(name);
  release();
  await page.locator("svg.graph").first().waitFor();
  await updates(page);
  const titles = await page.locator("#panel h3").allInnerTexts();
  assert.equal(new Set(titles).size, titles.length, titles.join());
  await tab("Pools");
  await updates(page);
  assert.equal(await page.locator("svg.graph").count(), 0);
});

story("a resource that is removed goes, and comes back", async (page, address) => {
  const { value } = await call(address, "world.get_resources", { resource: "clock" });
  await page.getByRole("tab", { name: "Resources" }).click();
  const clock = page.locator("#panel .card", { hasText: "Clock" });
  await clock.waitFor();
  await page.route("**/", async (route) => {
    const answers = await (await route.fetch()).json();
    for (const answer of answers) if (Array.isArray(answer.result)) answer.result = answer.result.filter((it) => it.name !== "demo::Clock");
    await route.fulfill({ json: answers });
  });
  await clock.waitFor({ state: "detached" });
  await page.unroute("**/");
  await until(async () => await clock.getByLabel("is_running").isChecked() === value.is_running, "it is back");
});

story("an undo that does not arrive may be tried again", async (page, address) => {
  const entity = await pick(page, "ship 1");
  const x = async () => (await component(address, entity, "Velocity")).x;
  const before = await x();
  const field = card(page, "Velocity").locator("input").first();
  await field.fill("77");
  await field.press("Enter");
  await until(async () => await x() === 77, "the world has the value");
  await page.route("**/", (route) => route.request().postData()?.includes("mutate") ? route.abort() : route.fallback());
  await page.locator("#undo").click();
  await page.locator("#notes", { hasText: "no connection" }).waitFor();
  await page.unroute("**/");
  await page.locator("#undo").click();
  await until(async () => await x() === before, "it is taken back");
}, { mayFail: /ERR_FAILED/ });

story("entities are found by a value", async (page, address) => {
  const entity = await pick(page, "ship 1");
  const { x } = await component(address, entity, "Position");
  await call(address, "world.mutate_components", { entity, component: "Position", path: ".x", value: 4321.5 });
  await page.locator("#text").fill("Position.x=4321.5");
  await page.locator(`.row[data-entity="${entity}"]`).waitFor();
  await until(async () => await page.locator(".row").count() === 1, "no other is shown");
  await call(address, "world.mutate_components", { entity, component: "Position", path: ".x", value: x });
});

story("a name that is HTML is shown as text", async (page, address) => {
  const name = "<img src=x onerror='document.title=1'>";
  const { entity } = await call(address, "world.spawn_entity", { components: { "ecs::Name": name } });
  await pick(page, name);
  assert.equal(await page.locator("img").count(), 0);
  await call(address, "world.despawn_entity", { entity });
});

story("what the server does not allow is said", async (page) => {
  await page.route("**/", async (route) => {
    const calls = JSON.parse(route.request().postData());
    const error = { code: -32601, message: "Method `ecs.pools` is not allowed here" };
    await route.fulfill({ json: calls.map(({ id }) => ({ jsonrpc: "2.0", id, error })) });
  });
  await page.locator("#state.off", { hasText: "not allowed here" }).waitFor();
});

test("a program that is started again is another world", options, async () => {
  const first = await serve();
  const { page, close } = await open(first.address);
  const port = new URL(first.address).port;
  await pick(page, "ship 1");
  await page.getByTitle("Remove Velocity").click();
  await page.locator("#undo:enabled").waitFor();
  await page.getByRole("tab", { name: "Watches" }).click();
  await page.getByLabel("Changes or events").selectOption("Position");
  await page.locator(".feed div", { hasText: "changed" }).first().waitFor();
  await first.end();
  await page.locator("#state.off", { hasText: "no connection" }).waitFor();
  const second = await serve("--port", port);
  try {
    await page.locator("#state.on").waitFor();
    await card(page, "Velocity").waitFor();
    assert.ok(await page.locator("#undo").isDisabled());
    await page.getByLabel("Changes or events").selectOption("Position");
    await page.locator(".feed div", { hasText: "changed" }).first().waitFor();
  } finally {
    await second.end();
    await close();
  }
});

test("a watch that ended goes on when the program is there again", options, async () => {
  const { page, close } = await open(demo.address);
  let ended = 0;
  await page.route("**/", (route) => {
    const isFirst = route.request().postData()?.includes("+watch") && !ended++;
    return isFirst ? route.fulfill({ contentType: "text/event-stream", body: ":\n\n" }) : route.fallback();
  });
  await page.getByRole("tab", { name: "Watches" }).click();
  await page.getByLabel("Changes or events").selectOption("Position");
  await page.locator(".feed", { hasText: "the watch ended" }).waitFor();
  const entity = await named(demo.address, "ship 0");
  let y = 0;
  await until(async () => {
    await call(demo.address, "world.mutate_components", { entity, component: "Position", path: ".y", value: ++y });
    return await page.locator(".feed", { hasText: "changed 1" }).count();
  }, "changes are shown again");
  await close();
});

/** Returns the text of a component's JSON, which has all digits. */
async function written(address, entity, name) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "world.get_components", params: { entity, components: [name], strict: true } });
  const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return (await answer.text()).match(/"result":\{"\w+":(.*)\}\}/)[1];
}

story("numbers of more than 64 bits are edited, and all others keep their digits", async (page, address) => {
  const entity = await pick(page, "probe");
  const all = '{"number":340282366920938463463374607431768211455,"offset":-170141183460469231731687303715884105728,"count":18446744073709551615}';
  assert.equal(await written(address, entity, "Serial"), all);
  const field = card(page, "Serial").locator("input").first();
  assert.equal(await field.inputValue(), "340282366920938463463374607431768211455");
  await field.fill("340282366920938463463374607431768211453");
  await field.press("ArrowUp");
  await field.press("Enter");
  await until(async () => await written(address, entity, "Serial") === all.replace("211455", "211454"), "one number is another one");
  await page.locator("#undo").click();
  await until(async () => await written(address, entity, "Serial") === all, "it is back");
});

story("a text keeps its lines and its carriage returns", async (page, address) => {
  const entity = await pick(page, "gun");
  const label = async () => (await component(address, entity, "Shield")).label;
  const field = card(page, "Shield").locator("textarea");
  const put = (value) => call(address, "world.mutate_components", { entity, component: "Shield", path: ".label", value });
  await put("one\ntwo\n");
  await until(async () => await field.inputValue() === "one\ntwo\n", "both lines are shown");
  await field.focus();
  await field.press("Control+Home");
  await field.press("z");
  await field.press("Shift+Enter");
  await field.press("Enter");
  await until(async () => await label() === "z\none\ntwo\n", "there is one more line");
  await put("one\r\ntwo");
  await until(async () => (await field.inputValue()).includes("\\r\\n"), "the end of the line is shown");
  await field.focus();
  await field.press("Control+End");
  await field.press("ArrowLeft");
  await field.press("!");
  await field.press("Enter");
  await until(async () => await label() === "one\r\ntwo!", "the end of the line is as it was");
  await put("front");
});

story("what is no number of a field's type is refused with the reason", async (page, address) => {
  const entity = await pick(page, "ship 1");
  const before = await component(address, entity, "Velocity");
  const field = card(page, "Velocity").locator("input").first();
  const refused = async (field, text, why) => {
    await field.focus();
    await field.press("Control+a");
    await field.press("Delete");
    await page.keyboard.type(text);
    await field.press("Enter");
    await page.locator("#notes div", { hasText: why }).waitFor();
    await field.press("Escape");
  };
  await refused(field, "abc", "this is not a number");
  await refused(field, "1e39", "1e39 is beyond f32");
  assert.deepEqual(await component(address, entity, "Velocity"), before);
  const gun = await pick(page, "gun");
  await card(page, "Plan").locator("select").selectOption("Wait");
  await until(async () => (await component(address, gun, "Plan")).Wait !== undefined && await card(page, "Plan").locator("input").count() === 1, "it waits");
  const wait = card(page, "Plan").locator("input").first();
  await refused(wait, "1.5", "1.5 is not a whole number: this is a u32");
  await refused(wait, "4294967296", "4294967296 is beyond u32: from 0 to 4294967295");
  await refused(wait, "-1", "-1 is beyond u32");
  await page.locator("#undo").click();
  assert.deepEqual(await page.locator("#notes", { hasText: "null" }).count(), 0);
});

story("a tree goes back to the list, and a watch to none", async (page) => {
  await page.locator("#relation").selectOption("ChildOf");
  await page.locator(".row[role=treeitem]", { hasText: "fleet" }).waitFor();
  await page.locator("#relation").selectOption("List");
  await page.locator(".row[role=option]").first().waitFor();
  assert.equal(await page.locator("#relation").inputValue(), "");
  await page.getByRole("tab", { name: "Watches" }).click();
  await page.getByLabel("Changes or events").selectOption("Position");
  await page.getByLabel("Changes or events").selectOption("watch ..");
  assert.equal(await page.getByLabel("Changes or events").inputValue(), "");
});

story("a relation asks for its target, by its handle or its name, before it is added", async (page, address) => {
  const entity = await pick(page, "probe"), fleet = await named(address, "fleet");
  await page.getByTitle("Add a component").selectOption("Targets");
  const draft = page.locator("[data-draft=Targets]"), target = draft.locator("input");
  await draft.waitFor();
  assert.equal(await component(address, entity, "Targets"), undefined);
  await target.fill("nobody at all");
  await draft.getByText("Add").click();
  await page.locator("#notes div", { hasText: 'no entities are called "nobody at all"' }).waitFor();
  assert.equal(await component(address, entity, "Targets"), undefined);
  await target.fill("fleet");
  await draft.getByText("Add").click();
  await until(async () => await component(address, entity, "Targets") === fleet, "it points to the fleet");
  await draft.waitFor({ state: "detached" });
  await page.locator("#undo").click();
  await until(async () => await component(address, entity, "Targets") === undefined, "it is taken back");
});

story("numbers have the declared range and unit", async (page, address) => {
  const entity = await pick(page, "probe"), thrust = card(page, "Thrust");
  const power = async () => (await component(address, entity, "Thrust")).power;
  await until(async () => await thrust.locator("input[type=range]").count() === 2, "two fields have sliders");
  await thrust.locator("input[type=range]").first().focus();
  await page.keyboard.press("End");
  await until(async () => await power() === 1, "the slider is at its end");
  const field = thrust.locator("input[type=number]").first();
  await field.fill("1.5");
  await field.press("Enter");
  await page.locator("#notes div", { hasText: "1.5 is out of range: 0.0..=1.0 was declared" }).waitFor();
  await field.press("Escape");
  assert.equal(await power(), 1);
  const angle = thrust.locator("input[type=number]").nth(1);
  await angle.fill("90");
  await angle.press("ArrowUp");
  assert.equal(await angle.inputValue(), "90");
  await angle.press("Escape");
  await thrust.getByText("kg").waitFor();
  await page.locator("#undo").click();
  await until(async () => await power() === 0.5, "it is as before");
});

const position = (address, entity) => component(address, entity, "Position");

story("several entities are edited at once, in all or in none", async (page, address) => {
  const ships = await Promise.all([0, 1, 2].map((at) => named(address, `ship ${at}`)));
  const before = await Promise.all(ships.map((ship) => position(address, ship)));
  await page.locator("#text").fill("ship");
  const row = (ship) => page.locator(`.row[data-entity="${ship}"]`);
  await row(ships[0]).click();
  await row(ships[1]).click({ modifiers: ["Control"] });
  await row(ships[2]).click({ modifiers: ["Control"] });
  await page.locator("#details h2", { hasText: "3 entities" }).waitFor();
  const y = card(page, "Velocity").locator("input").nth(1);
  await until(async () => await y.getAttribute("placeholder") === "mixed", "they differ");
  const x = card(page, "Position").locator("input").first();
  await x.fill("77.5");
  await x.press("Enter");
  const all = async (value) => (await Promise.all(ships.map((ship) => position(address, ship)))).every(value);
  await until(() => all(({ x }) => x === 77.5), "all have it");
  await page.locator("#undo").click();
  await until(async () => (await Promise.all(ships.map((ship) => position(address, ship)))).every((it, at) => it.x === before[at].x), "all are as before");
  // A circle: the last one refuses.
  const parent = card(page, "ChildOf").locator("input");
  await parent.fill(ships[2]);
  await parent.press("Enter");
  await page.locator("#notes div.wrong").first().waitFor();
  const fleet = await named(address, "fleet");
  for (const ship of ships) assert.equal((await call(address, "ecs.entity", { entity: ship })).line.parent, fleet);
  await page.getByText("Despawn all").click();
  await until(async () => !(await named(address, "ship 0")), "they are gone");
  await page.locator("#undo").click();
  for (const at of [0, 1, 2]) await until(async () => await named(address, `ship ${at}`) === ships[at], "they are back");
});

story("all entities that a text finds are selected, and one click less", async (page, address) => {
  await page.locator("#text").fill("ship");
  await page.locator(".row", { hasText: "ship 3" }).waitFor();
  await until(async () => await page.locator(".row").count() === 4, "four match");
  await page.locator("#mark").click();
  await page.locator("#all").click();
  await page.locator("#marked", { hasText: "4 selected" }).waitFor();
  await page.locator(".row", { hasText: "ship 3" }).click();
  await page.locator("#marked", { hasText: "3 selected" }).waitFor();
  await page.locator("nav [data-to=details]").click();
  await page.locator("#details h2", { hasText: "3 entities" }).waitFor();
  await page.getByTitle("Add a component").selectOption("Shield");
  const ships = await Promise.all([0, 1, 2, 3].map((at) => named(address, `ship ${at}`)));
  const shields = async () => (await Promise.all(ships.map((ship) => component(address, ship, "Shield")))).map((it) => !!it).join();
  await until(async () => await shields() === "true,true,true,false", "three have a shield");
  await page.locator("#undo").click();
  await until(async () => await shields() === "false,false,false,false", "none has one");
}, { width: 390, height: 800 });

story("a slow frame is found with its system within ten seconds", async (page) => {
  const { address, end } = await serve("--stutter");
  try {
    await page.goto(address);
    const start = performance.now();
    await page.getByRole("tab", { name: "Systems" }).click();
    await page.locator(".worst", { hasText: /stutter 4\d\.\d ms|stutter [5-9]\d/ }).waitFor();
    const row = page.locator("tr", { hasText: "stutter" });
    await until(async () => Number((await row.locator("td").last().innerText()).replace(",", "")) >= 40000, "its longest run is shown");
    assert.ok(performance.now() - start < 10000);
    await page.getByText("Begin anew").click();
    await page.getByRole("button", { name: "mean", exact: true }).click();
    await page.locator("button[aria-sort=descending]", { hasText: "mean" }).waitFor();
  } finally {
    await page.goto("about:blank");
    await end();
  }
});

story("a table shows a query, and its cells are edited", async (page, address) => {
  await page.getByRole("tab", { name: "Table" }).click();
  await page.getByLabel("Column", { exact: true }).selectOption("Velocity");
  const heads = page.locator("#panel th");
  await until(async () => (await heads.allInnerTexts()).join() === "Entity,Position.x,Position.y,Velocity.x,Velocity.y", "all fields are columns");
  const ship = await named(address, "ship 1");
  const row = page.locator("#panel tbody tr").filter({ has: page.getByText(ship, { exact: true }) });
  const { y } = await position(address, ship);
  const cell = row.locator("input").nth(1);
  await cell.fill("12.25");
  await cell.press("Enter");
  await until(async () => (await position(address, ship)).y === 12.25, "the world has the value");
  await page.locator("#undo").click();
  await until(async () => (await position(address, ship)).y === y, "it is taken back");
  await row.locator(".link").click();
  await page.locator("#details h2", { hasText: "ship 1" }).waitFor();
  const first = await page.locator("#panel tbody .link").first().innerText();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("rows 51 to 100").waitFor();
  assert.notEqual(await page.locator("#panel tbody .link").first().innerText(), first);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByText("rows 1 to 50").waitFor();
  await page.getByTitle("Remove the column Position").click();
  await until(async () => (await heads.allInnerTexts()).join() === "Entity,Velocity.x,Velocity.y", "a column is gone");
});

story("a prefab is kept, edited as a text, and spawned", async (page, address) => {
  await pick(page, "ship 2");
  await page.getByRole("tab", { name: "Prefabs" }).click();
  await page.getByText("Keep the picked entity").click();
  const line = page.locator("#panel tbody tr", { hasText: "prefab" });
  await line.getByText("Text").click();
  const text = page.getByLabel("Text of the prefab");
  await until(async () => (await text.inputValue()).includes("ship 2"), "its text is shown");
  await text.fill((await text.inputValue()).replace("ship 2", "copied"));
  await page.getByText("Keep this text").click();
  await page.getByLabel("Copies").fill("3");
  await line.getByText("Spawn").click();
  await page.locator("#details h2", { hasText: "3 entities" }).waitFor();
  const copy = await named(address, "copied");
  assert.equal((await call(address, "ecs.tree", { relation: "ChildOf", entity: copy })).rows[0].name, "gun");
  await page.locator("#undo").click();
  await until(async () => !(await named(address, "copied")), "they are gone");
  await line.getByTitle("Forget prefab").click();
  await line.waitFor({ state: "detached" });
});

story("a click on a field finds the entities with its value", async (page, address) => {
  const entity = await pick(page, "ship 1");
  const velocity = await component(address, entity, "Velocity");
  await call(address, "world.mutate_components", { entity, component: "Velocity", path: ".y", value: 123.25 });
  const label = card(page, "Velocity").locator("label").nth(1);
  await until(async () => await card(page, "Velocity").locator("input").nth(1).inputValue() === "123.25", "it is shown");
  await label.click();
  await until(async () => await page.locator("#text").inputValue() === "Velocity.y=123.25", "it is looked for");
  await until(async () => await page.locator(".row").count() === 1, "one has it");
  await page.locator("#text").fill("Velocity.y>123");
  await until(async () => await page.locator(".row").count() === 1, "one has more");
  await call(address, "world.mutate_components", { entity, component: "Velocity", path: ".y", value: velocity.y });
});

for (const [width, colorScheme] of [[390, "light"], [390, "dark"], [1400, "light"], [1400, "dark"]]) {
  story(`no part is wider than a page of ${width} pixels, ${colorScheme}`, async (page) => {
    const isNarrow = width <= 900;
    const part = async (name) => { if (isNarrow) await page.locator(`nav [data-to=${name}]`).click(); };
    const check = async (what) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, what);
    await page.locator("#text").fill("probe");
    await until(async () => await page.locator(".row").count() === 1, "it is found");
    await page.locator(".row").click();
    await card(page, "Thrust").locator("input[type=range]").first().waitFor();
    await check("an entity");
    await part("panels");
    for (const tab of await page.locator("#tabs button").allInnerTexts()) {
      await page.getByRole("tab", { name: tab }).click();
      await updates(page);
      await check(tab);
      assert.ok(await page.evaluate(() => document.querySelector("#panel").scrollWidth <= document.querySelector("#panel").clientWidth), tab);
    }
    await part("list");
    await page.locator("#mark").click();
    await check("the list");
    const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
    assert.ok(colorScheme === "dark" ? back < 60 : back > 200, `the background is ${back}`);
  }, { width, height: 800, colorScheme });
}

/** Fills the last row of the form of a definition. */
async function field(page, name, type, value) {
  await page.getByRole("button", { name: "+ field" }).click();
  const row = page.locator(".definition .line").last();
  await row.getByLabel("Name of the field").fill(name);
  await row.getByLabel("Type of the field").selectOption(type);
  if (value) await row.getByLabel("Value of the field").fill(value);
}

const isWithin = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth
  && [...document.querySelectorAll(".definition, .definition *")].every((it) => it.getBoundingClientRect().right <= innerWidth));

for (const view of [{ width: 390, height: 800, colorScheme: "dark" }, { width: 1400, height: 800 }]) {
  story(`a component is defined, and its fields change, at ${view.width} pixels`, async (page, address) => {
    const component_ = `Poison${view.width}`, to = async (part) => { if (view.width < 900) await page.locator(`nav [data-to=${part}]`).click(); };
    const of = (name) => card(page, component_).locator(`[data-path="${name}"]`);
    await to("panels");
    await page.getByRole("button", { name: "Define a component" }).click();
    await page.getByLabel("Name of the component").fill(component_);
    await field(page, "damage", "f32");
    await field(page, "at.x", "i16");
    await field(page, "at.y", "i16");
    await field(page, "tags", "list of text");
    await field(page, "wrong name", "u8");
    assert.ok(await isWithin(page));
    await page.getByRole("button", { name: "Define", exact: true }).click();
    await page.locator("#notes", { hasText: "`wrong name` is no name" }).waitFor();
    await page.getByTitle("Drop this field").last().click();
    await page.getByRole("button", { name: "Define", exact: true }).click();
    await page.locator(".definition").waitFor({ state: "detached" });
    await page.locator("tr", { hasText: component_ }).waitFor();

    await to("list");
    const entity = await pick(page, "fleet");
    await page.getByTitle("Add a component").selectOption(component_);
    await of(".damage").waitFor();
    const damage = card(page, component_).getByLabel("damage", { exact: true });
    await damage.fill("2.5");
    await damage.press("Enter");
    await until(async () => (await component(address, entity, component_)).damage === 2.5, "the value is edited");

    await to("panels");
    await page.getByTitle(`Change the fields of ${component_}`).click();
    const row = (name) => page.locator(".definition .line").filter({ has: page.getByTitle(`Drop ${name}`) });
    await row("damage").getByLabel("Name of the field").fill("harm");
    await row("damage").getByLabel("Type of the field").selectOption("text");
    await row("at.x").getByTitle("Drop at.x").click();
    await row("at.y").getByTitle("Drop at.y").click();
    await field(page, "days", "u8", "3");
    assert.ok(await isWithin(page));
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.locator(".definition").waitFor({ state: "detached" });
    await until(async () => (await component(address, entity, component_)).harm === "2.5", "the values have changed");
    assert.deepEqual(await component(address, entity, component_), { harm: "2.5", tags: [], days: 3 });
    // The card has the controls of the new fields.
    await to("details");
    await of(".harm").waitFor();
    const days = card(page, component_).getByLabel("days", { exact: true });
    await days.fill("4");
    await days.press("Enter");
    await until(async () => (await component(address, entity, component_)).days === 4, "the new field is edited");
    await page.getByTitle(`Remove ${component_}`).click();
    await until(async () => !(await component(address, entity, component_)), "it is gone");
  }, { ...view, mayFail: /^$/ });
}

story("fields that change while a table shows them are its new columns", async (page, address) => {
  await call(address, "ecs.define", { component: "Crew", fields: [{ name: "count", type: "u8" }] });
  const { entity } = await call(address, "world.spawn_entity", { components: { Crew: { count: 7 } } });
  await page.getByRole("tab", { name: "Table" }).click();
  await page.getByLabel("Column").selectOption("Crew");
  await page.locator("[title^='Remove the column']").first().click(); // the one that was there
  await page.locator("th", { hasText: "Crew.count" }).waitFor();
  await call(address, "ecs.redefine", { component: "Crew", changes: [{ rename: { field: "count", to: "number" } }] });
  await page.locator("th", { hasText: "Crew.number" }).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll("td input")].some((it) => it.value === "7"));
  await call(address, "world.despawn_entity", { entity });
});
