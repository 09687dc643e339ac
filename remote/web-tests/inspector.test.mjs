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
  const field = page.locator(".card", { hasText: "Clock" }).locator("input");
  await field.fill('{"frames":1000000,"is_running":false}');
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
  const field = page.locator(".card", { hasText: "Clock" }).locator("input");
  await until(async () => (await field.inputValue()).includes("frames"), "the clock is shown");
  await field.fill("{");
  await field.press("Enter");
  await updates(page);
  assert.equal(await field.inputValue(), "{");
  await field.press("Escape");
  await until(async () => (await field.inputValue()).includes("frames"), "the clock is shown again");
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
  const field = page.locator(".card", { hasText: "Clock" }).locator("input");
  await field.fill('{"frames":9007199254740993,"is_running":false}');
  await field.press("Enter");
  await until(async () => (await frames()).startsWith("900719925474"), "the clock is set");
  await until(async () => {
    const shown = (await field.inputValue()).match(/"frames":(\d+)/)?.[1];
    return shown && sent.has(shown) && BigInt(shown) > 2n ** 53n && BigInt(shown) % 2n;
  }, "an odd number is shown as it is");
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
  await until(async () => (await clock.locator("input").inputValue()).includes(`"is_running":${value.is_running}`), "it is back");
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
  await pick(page, "gun");
  await card(page, "Plan").locator("select").selectOption("Wait");
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
