// Stories of people who look at a world in Chromium.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, closeBrowser, component, executablePath, named, open, serve, until } from "./page.mjs";

const options = { skip: !executablePath && "no Chromium here" };
let demo;
before(async () => { if (executablePath) demo = await serve("--pause", "--entities", "100000"); });
after(async () => { demo?.end(); await closeBrowser(); });

/** Runs a story on a page of its own, whose console stays without errors. */
const story = (name, tell, view) => test(name, options, async () => {
  const { page, errors, close } = await open(demo.address, view);
  page.setDefaultTimeout(8000);
  try {
    await tell(page, demo.address);
    assert.deepEqual(errors, []);
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
  await page.route("**/", async (route) => {
    if (!route.request().postData().includes("ecs.take")) return route.continue();
    const response = await route.fetch();
    await new Promise((next) => setTimeout(next, 1000));
    await route.fulfill({ response });
  });
  await page.getByTitle("Remove Position").click();
  await until(async () => !(await component(address, entity, "Position")), "it is gone");
  await page.keyboard.press("Control+z");
  await until(async () => (await component(address, entity, "Position"))?.x === 1.5, "the second edit is taken back, not the first");
});

story("an entity is spawned, given a parent, despawned, and comes back", async (page, address) => {
  const before = (await call(address, "ecs.entities", { limit: 0 })).total;
  await page.locator("#spawn").click();
  await page.locator("#details h2", { hasText: "unnamed" }).waitFor();
  const fleet = await named(address, "fleet");
  await page.getByLabel("Parent").fill(fleet);
  await page.getByLabel("Parent").press("Enter");
  await page.locator("#details", { hasText: `in ${fleet}` }).waitFor();
  await page.getByText("Despawn").click();
  await until(async () => (await call(address, "ecs.entities", { limit: 0 })).total === before, "it is gone");
  await page.locator("#undo").click();
  await until(async () => (await call(address, "ecs.tree", { relation: "ChildOf", entity: fleet })).total === 5, "it is a child again");
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
  await page.locator(".row", { hasText: "fleet" }).click();
  await page.locator("#rows").press("ArrowRight");
  await page.locator(".row", { hasText: "ship 1" }).waitFor();
  await page.locator("#rows").press("ArrowDown");
  await page.locator("#details h2", { hasText: "ship" }).waitFor();
  await page.locator("#rows").press("ArrowUp");
  await page.locator("#rows").press("ArrowLeft");
  await page.locator(".row", { hasText: "ship 1" }).waitFor({ state: "detached" });
});

story("a hundred thousand entities scroll with little traffic", async (page) => {
  const seen = await page.evaluate(async () => {
    const rows = document.querySelector("#rows");
    const frame = () => new Promise(requestAnimationFrame);
    let slowest = 0, most = 0;
    for (let at = 0; at <= 40; at++) {
      rows.scrollTop = rows.scrollHeight * at / 40;
      await frame();
      const start = performance.now();
      await frame();
      slowest = Math.max(slowest, performance.now() - start);
      most = Math.max(most, window.inspector.traffic.bytes);
    }
    return { slowest, most, elements: rows.querySelectorAll("*").length };
  });
  assert.ok(seen.most > 0 && seen.most <= 20_000, `${seen.most} bytes`);
  assert.ok(seen.elements < 400, `${seen.elements} elements`);
  await page.locator(".row", { hasText: "100008v1" }).waitFor();
});

story("a filter by components narrows the list, and says how it is answered", async (page) => {
  await page.locator("tr", { hasText: "Shield" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll(".row")].length === 4);
  await page.getByRole("tab", { name: "Groups" }).click();
  await page.locator("#panel", { hasText: "walks the 4 members of `Shield`" }).waitFor();
  await page.locator("#panel", { hasText: "This world does not observe its views" }).waitFor();
  await page.getByText("with Shield").click();
  await page.getByText("without Shield").waitFor();
  await page.getByTitle("Remove this filter").click();
  await page.locator(".chip").waitFor({ state: "detached" });
});

story("changes and events arrive as they happen", async (page, address) => {
  const entity = await named(address, "ship 0");
  await page.getByRole("tab", { name: "Changes" }).click();
  await page.getByLabel("which component?").selectOption("Position");
  await page.waitForTimeout(300);
  await call(address, "world.mutate_components", { entity, component: "Position", path: ".x", value: 1 });
  await page.locator(".feed", { hasText: `changed 1: ${entity}` }).waitFor();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByLabel("which event?").selectOption("explosion");
  await page.waitForTimeout(300);
  await page.getByLabel("Value of the event").fill('{"power":7}');
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".feed", { hasText: '{"power":7}' }).waitFor();
  await until(async () => await named(address, "crater of 7"), "an observer was notified");
});

story("systems are timed and drawn", async (page) => {
  await page.getByRole("tab", { name: "Systems" }).click();
  await page.locator("tr", { hasText: "measure" }).waitFor();
  await page.locator("svg.graph text", { hasText: "bounce" }).waitFor();
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas");
    return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((it) => it > 0);
  });
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
