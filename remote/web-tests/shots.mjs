// Pictures of the inspector: node shots.mjs FOLDER

import { closeBrowser, open, serve } from "./page.mjs";

const folder = process.argv[2] ?? ".";
process.on("exit", () => end?.());
const { address, end } = await serve("--entities", "100000");
for (const colorScheme of ["light", "dark"]) {
  const { page, errors, close } = await open(address, { colorScheme });
  const shot = (name) => page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  await page.locator(".row", { hasText: "ship 1" }).click();
  await page.locator("[data-component=Position] input").first().waitFor();
  await page.waitForTimeout(400);
  await shot("pools");
  await page.locator("#relation").selectOption("ChildOf");
  await page.locator(".row .fold").first().click();
  await page.locator(".row .fold").nth(1).click();
  await page.locator(".row", { hasText: "gun" }).first().click();
  await page.locator("[data-component=Plan] select").selectOption("Go");
  await page.getByRole("tab", { name: "Systems" }).click();
  await page.waitForTimeout(5000);
  await shot("systems");
  for (const tab of ["Groups", "Watches", "Resources", "Snapshots"]) {
    await page.getByRole("tab", { name: tab }).click();
    if (tab === "Watches") await page.getByLabel("Changes or events").selectOption("Position");
    await page.waitForTimeout(900);
    await shot(tab.toLowerCase());
  }
  await page.getByRole("tab", { name: "Pools" }).click();
  await page.getByRole("button", { name: "Define a component" }).click();
  for (const name of ["damage", "at.x", "at.y"]) {
    await page.getByRole("button", { name: "+ field" }).click();
    await page.getByLabel("Name of the field").last().fill(name);
  }
  for (const width of [390, 1400]) {
    await page.setViewportSize({ width, height: 800 });
    if (width <= 900) await page.locator("nav [data-to=panels]").click();
    await shot(`define-${width}`);
  }
  await page.getByRole("tab", { name: "Systems" }).click();
  for (const width of [400, 800, 2000]) {
    await page.setViewportSize({ width, height: 800 });
    for (const part of width <= 900 ? ["list", "details", "panels"] : ["all"]) {
      if (width <= 900) await page.locator(`nav [data-to=${part}]`).click();
      await page.waitForTimeout(900);
      await shot(`wide-${width}-${part}`);
    }
  }
  if (errors.length) console.log(errors);
  await close();
}
end();
await closeBrowser();
