// Stories of people who look at the recorded flights.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, closeBrowser, executablePath, open, serve, until } from "./page.mjs";

const options = { skip: !executablePath && "no Chromium here" };
let radar;
before(async () => { if (executablePath) radar = await serve.program(process.env.RADAR, "--at", "600", "--pause"); });
after(async () => { radar?.end(); await closeBrowser(); });

const now = async () => (await call(radar.address, "radar.frame")).clock.now_s;

test("the time of the map pauses, goes on and goes back", options, async () => {
  const { page, errors, close } = await open(`${radar.address}/radar`, { ready: "#nearest tr" });
  assert.equal(await page.locator("#time").innerText(), "00:10:00");
  await page.locator("#speed").selectOption("60");
  await page.locator("#play").click();
  await until(async () => await now() > 610, "the time goes on");
  await page.locator("#play").click();
  await page.locator("#play", { hasText: "Play" }).waitFor();
  const paused = await now();
  await page.locator("#back").click();
  await until(async () => Math.abs(await now() - (paused - 60)) < 1, "a minute back");
  assert.deepEqual(errors, []);
  await close();
});

test("a flight is picked on the map and shown by the inspector", options, async () => {
  const { page, errors, close } = await open(`${radar.address}/radar`, { ready: "#nearest tr.alive" });
  await page.locator("#nearest tr.alive").first().click();
  const name = await page.locator("#nearest tr.alive td").first().innerText();
  const [inspector] = await Promise.all([page.waitForEvent("popup"), page.locator("#flight a").click()]);
  await inspector.locator("#details h2", { hasText: name }).waitFor();
  await inspector.locator("[data-component=Velocity] input").first().waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("the map is drawn", options, async () => {
  const { page, close } = await open(`${radar.address}/radar`, { ready: "#nearest tr", width: 500, height: 800 });
  const colours = () => page.evaluate(() => {
    const map = document.querySelector("#map");
    const { data } = map.getContext("2d").getImageData(0, 0, map.width, map.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4) if (data[at + 3]) seen.add(`${data[at] >> 4} ${data[at + 1] >> 4} ${data[at + 2] >> 4}`);
    return seen.size;
  });
  await until(async () => await colours() > 20, "the map has more than 20 colours");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 500);
  await close();
});

test("the map follows the scheme of the system, until another one is chosen", options, async () => {
  const { page, errors, close } = await open(`${radar.address}/radar`, { ready: "#nearest tr", colorScheme: "light" });
  const light = (selector) => page.evaluate((selector) => {
    const [red] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/\d+/g).map(Number);
    return red > 128;
  }, selector);
  /** Returns `true` if the runways, which are drawn in the middle of the map, are darker than the page. */
  const hasDarkRunways = () => page.evaluate(() => {
    const map = document.querySelector("#map");
    const { data } = map.getContext("2d").getImageData(map.width / 2 - 40, map.height / 2 - 40, 80, 80);
    let dark = 0, bright = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] < 250 || Math.abs(data[at] - data[at + 2]) > 40) continue;
      if (data[at] < 90) dark++;
      if (data[at] > 200) bright++;
    }
    return dark > bright;
  });
  const isAll = async (isLight) => await light("body") === isLight && await light("aside") === isLight && await hasDarkRunways() === isLight;
  await until(() => isAll(true), "all is light");
  await page.emulateMedia({ colorScheme: "dark" });
  await until(() => isAll(false), "all is dark");
  await page.locator("#theme").click();
  await until(() => isAll(true), "all is light again");
  for (const width of [390, 1400]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
  assert.deepEqual(errors, []);
  await close();
});
