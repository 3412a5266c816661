import { expect, onTestFinished, test, vi } from "vitest";
import { startDevSlack } from "./start-dev-slack.ts";
import { devSlackForTest, rawRequest } from "../testing/dev-slack-for-test.ts";
import { readFile } from "node:fs/promises";

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
  ["none", undefined, 400],
  ["its own", "http://127.0.0.1:3100", 400],
  ["another site", "https://attacker.example", 403],
  ["another port of this machine", "http://127.0.0.1:8080", 403],
  ["a sandboxed page", "null", 403],
])("a POST from %s", async (_name, origin, status) => {
  const dev = await devSlackForTest();
  const headers = { host: "127.0.0.1:3100", "content-type": "application/json", ...(origin && { origin }) };
  const answer = await rawRequest(`${dev.url}/control/stop`, { method: "POST", headers });
  expect(answer.status).toBe(status);
});

test("a socket is not opened under another name", async () => {
  const dev = await devSlackForTest();
  const headers = { host: "attacker.example", connection: "upgrade", upgrade: "websocket" };
  await expect(rawRequest(`${dev.url}/link/?ticket=x`, { headers })).rejects.toThrow("socket hang up");
});

test("the page is HTML with a policy that forbids anything from elsewhere", async () => {
  const dev = await devSlackForTest();
  const page = await fetch(dev.url);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  expect(page.headers.get("x-powered-by")).toBeNull();
  expect(await page.text()).toBe(await readFile(new URL("../page/index.html", import.meta.url), "utf8"));
});

test("a TypeScript file is served as JavaScript, as *.js and under its own name", async () => {
  const dev = await devSlackForTest();
  for (const path of ["main.js", "main.ts"]) {
    const script = await fetch(`${dev.url}/${path}`);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).not.toMatch(/import type/);
  }
});

test("everything that the page and its modules load exists", async () => {
  const dev = await devSlackForTest();
  const seen = new Set(["/"]);
  for (const path of seen) {
    const response = await fetch(dev.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    const source = await response.text();
    if (path.startsWith("/assets/")) continue;
    const pattern = path === "/" ? /(?:src|href)="([^"#:]+)"/g : /^(?:import|export|\} from).*?"([^"]+)";$/gm;
    for (const [, target = ""] of source.matchAll(pattern)) seen.add(new URL(target, dev.url + path).pathname);
  }
  expect(seen.size).toBeGreaterThan(20);
});

test.each([
  "/../../package.json",
  "/..%2f..%2fpackage.json",
  "/%2e%2e/start-dev-slack.ts",
  "/../start-dev-slack.js",
  "/..\\start-dev-slack.js",
  "/x/../../start-dev-slack.js",
  "//etc/passwd",
  "/main.ts%00.css",
  "/main.test.ts",
  "/.env",
  "/nothing-here.js",
  "/page",
])("nothing outside of the page's folder, and no tests: %s", async (path) => {
  const dev = await devSlackForTest();
  const { status, body } = await rawRequest(dev.url, { path });
  expect(status).toBe(404);
  expect(JSON.parse(body)).toEqual({ error: { message: "not found" } });
});
