import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { createHealth, createMetrics, listen } from "@crosszone/service-kit";
import { expect, onTestFinished, test } from "vitest";
import { createHttpApp } from "./create-http-app.ts";
import { silentHttpObserver } from "./http-observer.ts";

/** Starts a server with the API and thus the page. */
async function serve(api = true): Promise<string> {
  const server = createServer(
    createHttpApp({
      ...(api && { api: (_request, response) => void response.writeHead(204).end() }),
      health: createHealth(),
      metrics: createMetrics(),
      observer: { ...silentHttpObserver, failed: (error) => expect.unreachable(String(error)) },
    }),
  );
  onTestFinished(() => void server.close());
  return (await listen(server, { host: "127.0.0.1", port: 0 })).url;
}

/** Uses `request`, because `fetch` normalizes the path. */
async function ask(url: string, path: string, method = "GET"): Promise<IncomingMessage & { text: string }> {
  const sent = request(url, { path, method }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return Object.assign(response, { text: Buffer.concat(await response.toArray()).toString() });
}

test("the page is one shell for the list and every run, without data, and only its own code can run", async () => {
  const url = await serve();
  const shell = await ask(url, "/runs");
  expect(shell.statusCode).toBe(200);
  expect(shell.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  expect(shell.text).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son[a-z]+=/);
  for (const path of ["/runs/", "/runs/run-1", "/runs/assets", "/runs?state=failed"]) {
    const other = await ask(url, path);
    expect([path, other.statusCode, other.text]).toEqual([path, 200, shell.text]);
  }
});

test("every asset of the page is served with its media type, without TypeScript types", async () => {
  const url = await serve();
  const seen = new Set(["/runs"]);
  for (const path of seen) {
    const { headers, statusCode, text } = await ask(url, path);
    expect([path, statusCode]).toEqual([path, 200]);
    const type = path.endsWith(".css") ? "text/css" : path.endsWith(".js") ? "text/javascript" : "text/html";
    expect(headers["content-type"]).toBe(`${type}; charset=utf-8`);
    const pattern =
      path === "/runs" ? /(?:src|href)="(\/runs\/[^"]+)"/g : /^(?:import|export|\}) ?.*?from ?["']([^"']+)["'];?$/gm;
    for (const [, target = ""] of text.matchAll(pattern)) seen.add(new URL(target, url + path).pathname);
    expect(text).not.toMatch(/^(import|export) (type|interface) /m);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "/runs/assets/dagre.js",
      "/runs/assets/eventsource-parser/parse.js",
      "/runs/assets/main.js",
    ]),
  );
  expect(seen.size).toBeGreaterThan(30);
});

test.each([
  "/runs/assets/../create-run-page.ts",
  "/runs/assets/..%2fcreate-run-page.js",
  "/runs/assets/%2e%2e/page-assets.js",
  "/runs/assets/..\\page-assets.js",
  "/runs/assets//etc/passwd",
  "/runs/assets/main.js%00.css",
  "/runs/assets/main.ts",
  "/runs/assets/main.js/",
  "/runs/assets/tsconfig.json",
  "/runs/assets/toString",
  "/runs/assets/nothing-here.js",
  "/runs/run-1/more",
  "/runs/a.b",
  "/runs/%3Cscript%3E",
])("only the page's own files are served: %s", async (path) => {
  const { headers, statusCode, text } = await ask(await serve(), path);
  expect([statusCode, headers["content-type"]]).toEqual([404, "application/json"]);
  expect(text).not.toContain("passwd");
});

test("HEAD returns only the headers, and other methods get 405 with the path of the API", async () => {
  const url = await serve();
  const head = await ask(url, "/runs/run-1", "HEAD");
  expect([head.statusCode, head.text]).toEqual([200, ""]);
  expect(Number(head.headers["content-length"])).toBeGreaterThan(500);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const { headers, statusCode, text } = await ask(url, "/runs/run-1", method);
    expect([method, statusCode, headers.allow]).toEqual([method, 405, "GET, HEAD"]);
    expect(JSON.parse(text)).toMatchObject({
      error: { data: { problems: [{ message: expect.stringContaining("/api/v1/runs") }] } },
    });
  }
});
