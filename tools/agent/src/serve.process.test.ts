// suite: rest
// @module-tag judge
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { serve } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { messageOf, type Json } from "./testing/client-of.ts";

const program = `
import { serve } from ${JSON.stringify(resolve(import.meta.dirname, "index.ts"))};
serve({ name: "Slow", description: "Is slow.", stopTimeoutMs: 2_000 }, async ({ text }, task) => {
  task.progress("Working…");
  if (text === "forever") await new Promise(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return "done";
});`;

/** Starts the program, which gets the port in its environment. Ends with the test. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", "--input-type=module", "-e", program], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close") as Promise<[number | null]>;
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [line = ""] = (await Promise.race([once(child.stdout, "data"), ended.then(() => [])])).map(String);
  return { child, line, ended, errors: () => errors };
}

const send = (url: string, text: string, { method = "SendMessage", configuration = {} } = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message: messageOf(text), configuration } }),
  });

test("on SIGTERM tasks end, new ones are refused, and the process exits with 0", async () => {
  const { child, line, ended } = await start({ PORT: "0" });
  expect(line).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\n$/);
  const url = line.trim().slice("Listening on ".length);
  const stream = await send(url, "go", { method: "SendStreamingMessage" });
  child.kill("SIGTERM");
  await expect.poll(async () => (await send(url, "too late")).status).toBe(503);
  expect(await stream.text()).toContain("TASK_STATE_COMPLETED");
  expect(await ended).toEqual([0, null]);
});

test("a task that doesn't end delays the exit up to the limit", async () => {
  const { child, line, ended } = await start({ PORT: "0" });
  const url = line.trim().slice("Listening on ".length);
  const begun = (await (await send(url, "forever", { configuration: { returnImmediately: true } })).json()) as Json;
  expect(begun.result.task.status.state).toBe("TASK_STATE_WORKING");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

test("a port in use and an invalid port are reported", async () => {
  const { port: PORT } = new URL(await serve(createServer()));
  const busy = await start({ PORT });
  expect([await busy.ended, busy.errors()]).toEqual([[1, null], expect.stringContaining(`Port ${PORT} is in use.`)]);
  const wrong = await start({ PORT: "http" });
  expect(await wrong.ended).toEqual([1, null]);
  expect(wrong.errors()).toContain('Expected PORT to be a number of 0 to 65535, got "http".');
});
