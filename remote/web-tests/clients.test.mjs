// Clients of JSON-RPC that others wrote.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { validateOpenRPCDocument } from "@open-rpc/schema-utils-js";
import { Client, HTTPTransport, RequestManager } from "@open-rpc/client-js";
import { call, serve } from "./page.mjs";

let demo, client;
before(async () => {
  demo = await serve("--pause");
  client = new Client(new RequestManager([new HTTPTransport(demo.address)]));
});
after(() => demo.end());

test("the description of all methods is valid OpenRPC", async () => {
  const document = await call(demo.address, "rpc.discover");
  assert.equal(validateOpenRPCDocument(document), true);
  assert.notEqual(validateOpenRPCDocument({ ...document, methods: 7 }), true);
});

test("a client of OpenRPC spawns, reads, mutates and despawns", async () => {
  const request = (method, params) => client.request({ method, params });
  const { entity } = await request("world.spawn_entity", { components: { position: { x: 1, y: 2 } } });
  await request("world.mutate_components", { entity, component: "position", path: ".x", value: 3 });
  const found = await request("world.get_components", { entity, components: ["position"] });
  assert.deepEqual(found.components, { position: { x: 3, y: 2 } });
  const rows = await request("world.query", { data: { components: ["position"] }, filter: { without: ["velocity"] } });
  assert.deepEqual(rows, [{ entity, components: { position: { x: 3, y: 2 } } }]);
  await request("world.despawn_entity", { entity });
  await assert.rejects(request("world.get_components", { entity, components: [] }), /not found/);
});

test("a client of OpenRPC sends a batch without parameters", async () => {
  client.startBatch();
  const answers = [client.request({ method: "schedule.list", params: [] }), client.request({ method: "ecs.times", params: [] })];
  client.stopBatch();
  const [list, times] = await Promise.all(answers);
  assert.deepEqual(list.schedule_labels, times.map(({ schedule }) => schedule));
});
