import { expect, onTestFinished, test, vi } from "vitest";
import { startDevSlack } from "./start-dev-slack.ts";
import { devSlackForTest, rawRequest } from "../testing/dev-slack-for-test.ts";
import { readFile } from "node:fs/promises";

const get = (host: string) => ({ path: "/healthz", headers: { host } });
const post = (origin?: string) => {
  const headers = { host: "127.0.0.1:3100", "content-type": "application/json", ...(origin && { origin }) };
  return { path: "/control/stop", method: "POST", headers };
};

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

test.each<[what: string, request: Parameters<typeof rawRequest>[1], status: number]>([
  ["of this machine", get("127.0.0.1:3100"), 200],
  ["of its name", get("localhost"), 200],
  ["of another name", get("attacker.example"), 403],
  ["of a longer name", get("127.0.0.1.attacker.example:3100"), 403],
  ["of a name after one", get("attacker.example:80@127.0.0.1"), 403],
  ["without an origin", post(), 400],
  ["from its own page", post("http://127.0.0.1:3100"), 400],
  ["from another site", post("https://attacker.example"), 403],
  ["from another port of this machine", post("http://127.0.0.1:8080"), 403],
  ["from a sandboxed page", post("null"), 403],
])("a request %s: %o is answered with %i", async (_what, request, status) => {
  const dev = await devSlackForTest();
  expect((await rawRequest(dev.url, request)).status).toBe(status);
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
