import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { boundedFetch } from "./mcp/bounded-fetch.ts";
import { modelFetch } from "./models/model-fetch.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const said = 'data: {"jsonrpc":"2.0","method":"said"}\n\n';

const startStream = () =>
  serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(said);
    setTimeout(() => response.end(), 200);
  });

const everything = {
  read: (event: unknown) => [event],
  end: () => [],
  isFinished: () => false,
  isOver: () => false,
};

// Node cancels the body of a response that is garbage, unless somebody reads it.
test("the answer of a model or of an MCP server stays whole while nobody reads it yet", async () => {
  const fetches = [
    modelFetch(() => everything as never, { query: "", refused: new Set() }),
    boundedFetch(fetch, { mostBytes: 1_000, mostMs: 30_000 }),
  ];
  const url = await startStream();
  const open = async (fetchIt: (typeof fetches)[number]) => (await fetchIt(url, { method: "POST", body: "{}" })).body;
  const bodies = await Promise.all(fetches.map(open));
  collect();
  await delay(50);
  const texts = bodies.map(async (body) => Buffer.concat(await Array.fromAsync(body ?? [])).toString());
  for (const text of await Promise.all(texts)) expect(text).toContain('"method":"said"');
});
