import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import type { ReadFile } from "../agents/agent.ts";
import { createHttpFiles, noFiles } from "./http-files.ts";

const handle = `czh_${"a".repeat(43)}`;
type Answer = (response: ServerResponse) => void;
const says =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Starts a server in place of the verification zone. */
async function serveFiles(answer: Answer): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const url = await serve((request, response) => {
    asked.push(request);
    answer(response);
  });
  return { url, asked };
}

async function grant(
  answer: Answer,
  { given = handle, timeoutMs = 60_000, path = "" }: { given?: string; timeoutMs?: number; path?: string } = {},
): Promise<{ readFile: ReadFile; asked: IncomingMessage[]; end: (reason: Error) => void }> {
  const { url, asked } = await serveFiles(answer);
  const task = new AbortController();
  const grantFiles = createHttpFiles({ url: url + path, maxBytes: 1_000, timeoutMs });
  const readFile = grantFiles({ handle: given, signal: task.signal });
  return { readFile, asked, end: (reason) => task.abort(reason) };
}

test("reads the bytes of a file from verification, with the task's handle", async () => {
  for (const path of ["", "/", "/zone"]) {
    const { readFile, asked } = await grant(says(200, "a,b\n"), { path });
    expect(new TextDecoder().decode(await readFile("F1"))).toBe("a,b\n");
    expect(asked.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ["GET", `${path === "/" ? "" : path}/files/F1`, `Bearer ${handle}`],
    ]);
  }
});

test("a refusal of verification becomes the sentence that the person sees", async () => {
  const message = "It is stored outside Slack, where I can't read it.";
  const { readFile } = await grant(says(403, JSON.stringify({ error: { reason: "external", message } })));
  await expect(readFile("F1")).rejects.toThrow(message);
});

test.each<[string, Answer]>([
  ["a page", says(404, "<html>")],
  ["a redirect", says(302, "", { location: "http://127.0.0.1:1/" })],
  ["an endless refusal", (response) => void response.writeHead(500).write("x".repeat(10_000))],
  ["unknown JSON", says(500, '{"error":{"message":7}}')],
  ["JSON null", says(500, "null")],
  ["nothing", (response) => void response.destroy()],
  [
    "a truncated body",
    (response) => void response.writeHead(200, { "content-length": "9" }).write("x", () => response.destroy()),
  ],
])("%s in place of verification: a sentence without its response", async (_title, answer) => {
  const { readFile } = await grant(answer);
  await expect(readFile("F1")).rejects.toThrow("It can't be fetched right now. Please try again.");
});

test("S14: a redirect is not followed, so the handle reaches no other host", async () => {
  const trap = await serveFiles(says(200, "trap"));
  const { readFile } = await grant(says(302, "", { location: trap.url }));
  await expect(readFile("F1")).rejects.toThrow("can't be fetched");
  expect(trap.asked).toEqual([]);
});

test("a file larger than the limit is not read, whatever its declared length", async () => {
  const announced = await grant(
    (response) => void response.writeHead(200, { "content-length": "10000000000" }).write("x"),
  );
  await expect(announced.readFile("F1")).rejects.toThrow("It is larger than");
  const endless = await grant((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(300)), 1);
    response.on("close", () => clearInterval(timer));
  });
  await expect(endless.readFile("F1")).rejects.toThrow("It is larger than");
});

test("a file that takes too long is aborted", async () => {
  const { readFile } = await grant((response) => void response.writeHead(200).write("x"), { timeoutMs: 50 });
  await expect(readFile("F1")).rejects.toThrow("Fetching it timed out.");
});

test("when the task ends, a running read rejects with the reason, and later reads fail", async () => {
  const { promise: open, resolve } = Promise.withResolvers<void>();
  const { readFile, asked, end } = await grant((response) => response.writeHead(200).write("x", () => resolve()));
  const reading = readFile("F1");
  await open;
  end(new Error("the task has ended"));
  await expect(reading).rejects.toThrow("the task has ended");
  await expect(readFile("F2")).rejects.toThrow("the task has ended");
  expect(asked).toHaveLength(1);
});

test.each(["", "xoxb-1-2-abc", `${handle}\r\nx: y`])(
  "S14: a value that is not a handle is never sent: “%s”",
  async (given) => {
    const { readFile, asked } = await grant(says(200, "x"), { given });
    await expect(readFile("F1")).rejects.toThrow("This message came without access to its files.");
    expect(asked).toEqual([]);
  },
);

test.each(["", "../metrics", "F1?x", "F 1", "http://127.0.0.1/F1"])(
  "an invalid id causes no request: “%s”",
  async (id) => {
    const { readFile, asked } = await grant(says(200, "x"));
    await expect(readFile(id)).rejects.toThrow("This file doesn't exist.");
    expect(asked).toEqual([]);
  },
);

test("an unencrypted verification zone on another machine is refused", () => {
  expect(() => createHttpFiles({ url: "http://example.com", maxBytes: 1, timeoutMs: 1 })).toThrow("https:");
});

test("Q16: without VERIFICATION_URL, the sentence says who can change that, and names no variable", async () => {
  const readFile = noFiles({ handle, signal: new AbortController().signal });
  await expect(readFile("F1")).rejects.toThrow(
    /^I can't read files here\. The people who run this service can change that\.$/,
  );
});
