import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { rawRequest } from "../testing/recording-app.ts";

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
