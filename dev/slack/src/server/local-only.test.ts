import { expect, test } from "vitest";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { rawRequest } from "../testing/recording-app.ts";

test.each([
  ["127.0.0.1:3100", 200],
  ["localhost", 200],
  ["attacker.example", 403],
  ["127.0.0.1.attacker.example:3100", 403],
  ["attacker.example:80@127.0.0.1", 403],
])("a GET with Host %s: %i", async (host, status) => {
  const dev = await devSlackForTest();
  expect((await rawRequest(`${dev.url}/healthz`, { headers: { host } })).status).toBe(status);
});

test.each([
  ["none", undefined, 200],
  ["its own", "http://127.0.0.1:3100", 200],
  ["another site", "https://attacker.example", 403],
  ["another port of this machine", "http://127.0.0.1:8080", 403],
  ["a sandboxed page", "null", 403],
])("a POST from %s", async (_name, origin, status) => {
  const dev = await devSlackForTest();
  const headers = { host: "127.0.0.1:3100", "content-type": "application/json", ...(origin && { origin }) };
  const answer = await rawRequest(`${dev.url}/control/delivery`, { method: "POST", headers });
  expect(answer.status).toBe(status);
});

test("a socket is not opened under another name", async () => {
  const dev = await devSlackForTest();
  const headers = { host: "attacker.example", connection: "upgrade", upgrade: "websocket" };
  await expect(rawRequest(`${dev.url}/link/?ticket=x`, { headers })).rejects.toThrow("socket hang up");
});
