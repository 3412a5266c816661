import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import type { ControlEvent } from "../protocol/control-api.ts";
import { createControlClient } from "./control-client.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const event: ControlEvent = { type: "message_deleted", channel: "D1", ts: "1.000001" };

it("loses no event of a stream that is read late, whatever is garbage meanwhile", async () => {
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": connected\n\n");
    open.push(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());

  const { port } = server.address() as AddressInfo;
  const events = await createControlClient(`http://127.0.0.1:${port}`).events(AbortSignal.timeout(10_000));
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await delay(20);
  }
  open.at(0)?.end(`data: ${JSON.stringify(event)}\n\n`);
  expect(await Array.fromAsync(events)).toEqual([event]);
});
