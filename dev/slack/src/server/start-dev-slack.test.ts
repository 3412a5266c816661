import { expect, onTestFinished, test, vi } from "vitest";
import { startDevSlack } from "./start-dev-slack.ts";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { rawRequest } from "../testing/recording-app.ts";

test("it listens on 127.0.0.1, with secrets of its own for each run", async () => {
  const [one, two] = [await devSlackForTest(), await devSlackForTest()];
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect([one.apiUrl, one.tapUrl]).toEqual([`${one.url}/api/`, `${one.url}/tap`]);
  expect(one.botToken).toMatch(/^xoxb-/);
  expect(one.appToken).toMatch(/^xapp-/);
  expect(one.signingSecret).toMatch(/^[0-9a-f]{32}$/);
  expect(one.signingSecret).not.toBe(two.signingSecret);
  expect(await (await fetch(`${one.url}/healthz`)).json()).toEqual({ status: "ok" });
});

test("a replaced bot token is revoked, and does not appear in the traffic", async () => {
  const dev = await devSlackForTest();
  const before = dev.botToken;
  const call = async (token: string): Promise<unknown> =>
    (await fetch(`${dev.apiUrl}auth.test`, { headers: { authorization: `Bearer ${token}` } })).json();
  dev.rotateBotToken();
  expect(await call(before)).toEqual({ ok: false, error: "token_revoked" });
  expect(await call(dev.botToken)).toMatchObject({ ok: true });
  const traffic = JSON.stringify(dev.control.traffic());
  for (const token of [before, dev.botToken]) expect(traffic).not.toContain(token);
});

test("it refuses to start in production and on a taken port", async () => {
  const dev = await devSlackForTest();
  await expect(startDevSlack({ port: Number(new URL(dev.url).port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(startDevSlack({ eventsUrl: "not a url" })).rejects.toThrow("Invalid URL");
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startDevSlack()).rejects.toThrow("NODE_ENV=production");
});

test("close ends everything, also an open stream and a hanging call", async () => {
  const dev = await startDevSlack();
  const stream = await fetch(`${dev.url}/control/stream`);
  dev.control.setFault({ method: "auth.test", kind: "hang" });
  const hanging = fetch(`${dev.apiUrl}auth.test`).catch(() => "ended");
  await expect.poll(() => dev.control.traffic()).toHaveLength(1);
  await dev.close();
  expect(await hanging).toBe("ended");
  await expect(stream.text()).rejects.toThrow("terminated");
  await expect(fetch(dev.url)).rejects.toThrow("fetch failed");
});

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
