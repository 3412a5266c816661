import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { createHealth, createMetrics, createTokenBuckets } from "@crosszone/service-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import type { OpenLinkedFile } from "../files/open-linked-file.ts";
import { UnreadableFileError } from "../files/http-files.ts";
import { createHttpApp } from "./create-http-app.ts";
import type { FileRouteDeps } from "./file-route.ts";
import type { HttpObserver } from "./http-observer.ts";

const contents = Buffer.alloc(2_000_000, "x");
const csv: OpenLinkedFile = async (token) =>
  token === "known" ? { mediaType: "text/csv", read: async () => contents } : undefined;

async function serve(deps: Partial<FileRouteDeps> = {}) {
  const markFetched = vi.fn<FileRouteDeps["links"]["markFetched"]>(async () => undefined);
  const onRefused = vi.fn<HttpObserver["refused"]>();
  const onUnexpected = vi.fn<(error: unknown, requestId: string) => void>();
  const files = { open: csv, links: { markFetched }, ...deps };
  const observer = { refused: onRefused, failed: onUnexpected, badRequest: vi.fn<HttpObserver["badRequest"]>() };
  const server = createServer(createHttpApp({ files, health: createHealth(), metrics: createMetrics(), observer }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/`;
  return { url, markFetched, onRefused, onUnexpected };
}

test("I5: a link returns the whole file as a download that is not cached, and is then used up", async () => {
  const { url, markFetched } = await serve();
  const response = await fetch(`${url}known`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/csv",
    "content-length": "2000000",
    "content-disposition": "attachment",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  expect(contents.equals(await response.bytes())).toBe(true);
  await vi.waitFor(() => expect(markFetched.mock.calls).toEqual([["known"]]));
});

test("an agent that disconnects before the end has not used up the link", async () => {
  const { url, markFetched } = await serve({
    open: async () => ({ mediaType: "text/csv", read: async () => Buffer.alloc(50_000_000) }),
  });
  const asked = sendRequest(`${url}known`).end();
  const [response] = (await once(asked, "response")) as [NodeJS.ReadableStream & { destroy: () => void }];
  response.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(markFetched).not.toHaveBeenCalled();
});

test("an unknown link, and any method other than GET, gets a 404 in JSON", async () => {
  const { url, markFetched } = await serve();
  const answers = [fetch(`${url}unknown`), fetch(url), fetch(`${url}a/b`), fetch(`${url}known`, { method: "POST" })];
  for (const response of [...(await Promise.all(answers)), await fetch(`${url}known`, { method: "HEAD" })]) {
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/json");
  }
  expect(markFetched).not.toHaveBeenCalled();
});

test.each([
  [new UnreadableFileError("It is kept outside of Slack."), "It is kept outside of Slack."],
  [new Error("secret"), "The file can't be read right now."],
])("a file that cannot be read gets a 502 with a message, and the link stays valid", async (failure, message) => {
  const open: OpenLinkedFile = async () => ({ mediaType: "text/csv", read: () => Promise.reject(failure) });
  const { url, markFetched } = await serve({ open });
  const response = await fetch(`${url}known`);
  expect([response.status, await response.json()]).toEqual([502, { error: { message } }]);
  expect(markFetched).not.toHaveBeenCalled();
});

test("an address that exceeds its rate, and the twenty-first concurrent download, get a 429", async () => {
  const limited = await serve({ addressLimit: createTokenBuckets({ capacity: 1, perMinute: 1 }) });
  expect((await fetch(`${limited.url}unknown`)).status).toBe(404);
  expect((await fetch(`${limited.url}known`)).status).toBe(429);
  expect(limited.onRefused.mock.calls).toMatchObject([[{ reason: "too_many" }]]);

  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const busy = await serve({ open: async () => ({ mediaType: "text/csv", read: () => promise }) });
  const reading = Array.from({ length: 20 }, () => fetch(`${busy.url}known`));
  await vi.waitFor(async () => expect((await fetch(`${busy.url}known`)).status).toBe(429));
  resolve(Buffer.from("x"));
  // One of the first twenty requests may have been refused.
  expect((await Promise.all(reading)).filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(19);
});
