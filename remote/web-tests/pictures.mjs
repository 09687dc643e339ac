// The pictures of the README: RADAR=../../target/release/radar node pictures.mjs FOLDER

import { call, closeBrowser, open, serve } from "./page.mjs";

const folder = process.argv[2] ?? "../../docs/pictures";
const { address, end } = await serve.program(process.env.RADAR, "--at", "2000", "--pause");
process.on("exit", end);
const control = (value) => call(address, "world.trigger_event", { event: "control", value });

// The minute in which most flights are about to land.
let best = { count: -1 };
for (let at = 600; at < 3400; at += 30) {
  await control({ Seek: at });
  await new Promise((next) => setTimeout(next, 60));
  const { flights } = await call(address, "radar.frame");
  const count = 40 * flights.filter((flight) => flight.runway).length + flights.length;
  if (count > best.count) best = { count, at };
}
await control({ Seek: best.at });
const map = await open(`${address}/radar`, { width: 1200, height: 720, ready: "#nearest tr" });
await map.page.waitForTimeout(1500);
await map.page.evaluate(() => document.querySelector("#map").dispatchEvent(new WheelEvent("wheel", { deltaY: -260 })));
await map.page.locator("tr.alive").first().click();
await map.page.waitForTimeout(600);
await map.page.screenshot({ path: `${folder}/radar.png` });
await map.close();
for (const colorScheme of ["light", "dark"]) {
  await control({ Seek: best.at });
  await new Promise((next) => setTimeout(next, 500));
  const { flights } = await call(address, "radar.frame");
  const landing = flights.findLast((flight) => flight.runway) ?? flights[0];
  const { page, close } = await open(`${address}/#pick=${landing.entity}`, { width: 1200, height: 720, colorScheme });
  await page.locator("[data-component=Position] input").first().waitFor();
  await page.locator("#relation").selectOption("Approaching");
  await page.locator(".fold").first().click();
  await page.getByRole("tab", { name: "Systems" }).click();
  await control("Play");
  await page.waitForTimeout(9000);
  await control("Pause");
  await page.screenshot({ path: `${folder}/inspector-${colorScheme}.png` });
  await close();
}
end();
await closeBrowser();
