// suite: both
import type { Client, Progress } from "@modelcontextprotocol/client";
import { expect, inject, onTestFinished, test } from "vitest";
import { slowAgent } from "../../testing/mcp-agents.ts";
import { modernMessage, modernRequest, tasks, tasksSession } from "../../testing/modern-request.ts";
import { startAskedZone, type AskedZone } from "../../testing/start-asked-zone.ts";
import { echo } from "../../testing/start-zone.ts";

/** Longer than the client's time-out, which is longer than a call is held. */
const workMs = inject("engines") === "both" ? 90_000 : 9_000;
const timeout = inject("engines") === "both" ? 60_000 : 6_000;
/** Far below the time-out: a busy machine answers late. */
const holdMs = 1_000;

interface Shown {
  readonly structuredContent: { readonly task_id: string; readonly state: string; readonly text: string };
}

type Options = Parameters<Client["callTool"]>[1];

const call = async (client: Client, request: Parameters<Client["callTool"]>[0], options?: Options) =>
  (await client.callTool(request, options)) as unknown as Shown;

const question = { name: "ask_slow", arguments: { message: "go" } };
const eras = ["auto", "legacy"] as const;

async function withProgress(mcp: AskedZone, mode: (typeof eras)[number]): Promise<string> {
  const client = await mcp.connect("ci", { versionNegotiation: { mode } });
  const notes: Progress[] = [];
  const onprogress = (note: Progress): void => void notes.push(note);
  const ended = await call(client, question, { timeout, resetTimeoutOnProgress: true, onprogress });
  expect(ended.structuredContent).toMatchObject({ state: "success", text: "done at last" });
  // One a hold, and a quarter of them on a machine that is slow.
  expect(notes.length).toBeGreaterThanOrEqual(workMs / (4 * holdMs));
  const told = notes.map(({ progress }) => progress);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(notes.map(({ message }) => message)).toContain("reading ten files");
  return ended.structuredContent.text;
}

async function withHandle(mcp: AskedZone, mode: (typeof eras)[number]): Promise<string> {
  const client = await mcp.connect("ci", { versionNegotiation: { mode } });
  let ended = await call(client, question, { timeout });
  const { task_id, state, text } = ended.structuredContent;
  expect([state, text]).toEqual(["working", expect.stringContaining(`Call get_task with task_id "${task_id}"`)]);
  while (ended.structuredContent.state === "working")
    ended = await call(client, { name: "get_task", arguments: { task_id } }, { timeout });
  expect(ended.structuredContent).toMatchObject({ task_id, state: "success" });
  return ended.structuredContent.text;
}

async function asTask(mcp: AskedZone): Promise<void> {
  const session = tasksSession(mcp, await mcp.connect("ci"), { program: "ci" });
  onTestFinished(() => session.close());
  const execution = await session.callTool("ask_slow", { message: "go" }, { requestTimeoutMs: timeout });
  expect(execution.kind).toBe("task");
  const { outcome } = await execution.settle();
  expect(outcome).toMatchObject({ status: "completed", result: { structuredContent: { text: "done at last" } } });
}

async function silently(): Promise<void> {
  const { post } = await startAskedZone([slowAgent(6_000), echo]);
  const begin = (name: string) => {
    const [message, headers] = modernMessage({ method: "tools/call", params: { ...question, name } });
    return post("ci", message, { headers });
  };
  const quick = await begin("ask_echo");
  expect(quick.headers.get("content-type")).toContain("application/json");
  const slow = await begin("ask_slow");
  expect(slow.headers.get("content-type")).toBe("text/event-stream");
  expect(await slow.text()).toMatch(/^: keepalive\n\n[^]*data: \{.*"done at last"/);
}

test(
  "C2: work longer than the client's time-out ends in each of the three ways",
  { timeout: 2 * workMs + 30_000 },
  async () => {
    const mcp = await startAskedZone([slowAgent(workMs)], { holdMs });
    const ways = eras.flatMap((era) => [withProgress(mcp, era), withHandle(mcp, era)]);
    const [texts] = await Promise.all([Promise.all(ways), asTask(mcp), silently()]);
    expect(texts).toEqual(Array.from(ways, () => "done at last"));
  },
);

test("a client that declares tasks gets a short answer at once, and a task otherwise", async () => {
  const mcp = await startAskedZone([echo, slowAgent(60_000)]);
  const begin = async (name: string) =>
    (
      await modernRequest(mcp, "ci", {
        method: "tools/call",
        params: { name, arguments: { message: "hi" } },
        can: tasks,
      })
    ).result;
  expect(await begin("ask_echo")).toMatchObject({ resultType: "complete", structuredContent: { text: "hi" } });
  const task = await begin("ask_slow");
  expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 1_000 });
  const taskId = task?.["taskId"];
  const send = async (program: string, method: string) =>
    modernRequest(mcp, program, {
      method,
      params: { taskId, ...(method === "tasks/update" && { inputResponses: {} }) },
    });
  expect((await send("ci", "tasks/get")).result).toMatchObject({ taskId, status: "working", resultType: "complete" });
  const unknown = { code: -32_602, message: expect.stringContaining("No task has this task_id") as string };
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
    expect([method, (await send("other", method)).error]).toMatchObject([method, unknown]);
  const twice = [await send("ci", "tasks/cancel"), await send("ci", "tasks/cancel")];
  expect(twice).toMatchObject([{ result: { resultType: "complete" } }, { result: { resultType: "complete" } }]);
  expect((await send("ci", "tasks/get")).result).toMatchObject({ status: "cancelled" });
});
