// A server of the demo, and a page of Chromium that shows it.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);

/** Starts the demo, and returns its address and a function that ends it. */
export const serve = (...options) => serve.program(process.env.DEMO, ...options);

/** Starts a program that prints the address of its inspector. */
serve.program = async (path, ...options) => {
  const program = spawn(path, [...options, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    program.stdout.on("data", (more) => {
      text += more;
      const last = text.match(/(http:\/\/[^/\s]+)\n/);
      if (last) found(last[1]);
    });
    program.once("exit", () => failed(new Error(`${path} ended`)));
  });
  const ended = new Promise((next) => program.once("exit", next));
  return { address, end: () => { program.kill(); return ended; } };
};

/** Calls a method. */
export async function call(address, method, params = {}) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const { result, error } = await response.json();
  if (error) throw new Error(error.message);
  return result;
}

/** Returns the first entity with this name. */
export async function named(address, name) {
  const { rows } = await call(address, "ecs.entities", { text: name });
  return rows.find((row) => row.name === name)?.entity;
}

export async function component(address, entity, name) {
  return (await call(address, "world.get_components", { entity, components: [name] })).components[name];
}

let browser;

/** Ends the browser that all pages share. */
export const closeBrowser = async () => (await browser)?.close();

/** Opens a page, which fails its test by any error in its console. */
export async function open(address, { width = 1280, height = 800, colorScheme = "light", ready = "#state.on" } = {}) {
  browser ??= chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const context = await (await browser).newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  await page.locator(ready).first().waitFor();
  return { page, errors, close: async () => {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  } };
}

/** Waits until something is true of the world. */
export async function until(check, what) {
  for (let at = 0; at < 200; at++) {
    if (await check()) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error(`it did not happen: ${what}`);
}
