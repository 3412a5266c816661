import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { TaskState } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { expect, test } from "vitest";
import { installTimeout, pythonEnv, pythonOf } from "../../harness/install-once.ts";
import { fetchWithToken as fetchImpl, request, textsOf } from "../../harness/sdk-messages.ts";
import { sdkNamed, startSdkAgent } from "./start-sdk-agent.ts";
import { startAsked } from "../../harness/start-called-zone.ts";

const run = promisify(execFile);
const folder = (name: string): string => join(import.meta.dirname, name);

/** Starts a zone in front of an agent on @a2a-js/sdk 1.3.0 that asks "Which city?". */
async function start() {
  const agent = await startSdkAgent(sdkNamed("js1"));
  const zone = await startAsked({ registered: { book: agent.url } });
  return { mcp: zone.mcp, url: zone.urlOf("book") };
}

async function runPython(program: string, requirements: string, url: string): Promise<unknown> {
  const python = await pythonOf(folder(requirements));
  const { stdout } = await run(python, [folder(`clients/${program}`), url], { env: { ...process.env, ...pythonEnv } });
  return JSON.parse(stdout);
}

test("J1: the official A2A client for JavaScript is asked back, and books on the same task", async () => {
  const { url } = await start();
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  const client = await factory.createFromUrl(url);
  const asked = await client.sendMessage(request("book"));
  if (!("artifacts" in asked)) throw new Error("it answered with a message");
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(asked.status?.message?.parts.map(({ content }) => content?.value)).toEqual([
    "Draft: two nights.\n\nWhich city?",
    { nights: 2, pets: false },
  ]);
  const ended = await client.sendMessage(request("Oslo", { taskId: asked.id }));
  if (!("artifacts" in ended)) throw new Error("it answered with a message");
  expect([ended.id, ended.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
  expect(textsOf(ended).join()).toContain("Booked: Oslo");
});

test("J1: so is the official A2A client for Python, which streams", { timeout: installTimeout }, async () => {
  const { url } = await start();
  expect(await runPython("book_1.py", "agents/requirements-1.txt", url)).toMatchObject({
    asked: "input-required",
    question: "Draft: two nights.\n\nWhich city?",
    ended: "completed",
    said: expect.stringContaining("Booked: Oslo") as string,
    same: true,
  });
});

test("J1: the person of fastmcp's client is asked", { timeout: installTimeout }, async () => {
  const { mcp } = await start();
  expect(await runPython("book_mcp.py", "clients/requirements-fastmcp.txt", mcp)).toMatchObject({
    asked: [expect.stringMatching(/^book asks: Draft: two nights\. Which city\?/) as string],
    state: "success",
    text: expect.stringContaining("Booked: Oslo") as string,
  });
});
