import { expect, test } from "vitest";
import { echo, startZone, task } from "../../testing/start-zone.ts";

test("a zone without credentials refuses requests of web pages, whatever host name they used", async () => {
  const zone = await startZone([echo]);
  const body = JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task(), id: "1" });
  // What a browser adds to a POST, a page's own server included: https://fetch.spec.whatwg.org/#append-a-request-origin-header
  const ofPage = await zone.post(body, { origin: "http://rebound.example:4000" });
  expect(ofPage.status).toBe(401);
  expect(zone.log).toContainEqual(expect.objectContaining({ event: "http_refused", reason: "caller_not_allowed" }));
  expect((await zone.post(body)).status).toBe(200);
});
