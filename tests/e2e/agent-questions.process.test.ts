import { randomUUID } from "node:crypto";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { sdkNamed, startSdkAgent } from "../full/interop/start-sdk-agent.ts";
import { startTaskProcess } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
type Json = any;

const ADMIN_TOKENS = "admin-token-of-at-least-32-characters";

test("J1, P3: kill -9 while an agent's question waits, and while its reply is on the way: the task goes on, and the agent gets the reply once", async () => {
  const agent = await startSdkAgent(sdkNamed("js1"));
  const database = await newSqliteDatabase();
  const env = {
    ASK_PORT: "0",
    ADMIN_TOKENS,
    ASK_FILE: tempFile("askers.yaml", "askers: [{token: ci, agents: [book]}]"),
    AGENTS_FILE: writeAgentsFile([{ name: "book", url: agent.url }]),
    AGENT_ORIGINS: "http://127.0.0.1:*",
  };
  const start = async () => {
    const zone = await startTaskProcess(database, env);
    const listening = (): string | undefined =>
      zone.log.find(({ event }) => event === "ask_listening")?.["url"] as string | undefined;
    await expect.poll(listening, { timeout: 20_000 }).toBeDefined();
    const kill = async (): Promise<void> => {
      zone.signal("SIGKILL");
      await zone.ended;
    };
    return { zone, url: listening(), kill };
  };
  const post = async (url: string, token: string, body: object): Promise<Json> => {
    const headers = { "content-type": "application/json", "a2a-version": "1.0", authorization: `Bearer ${token}` };
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };

  let running = await start();
  const created = { name: "ci", scopes: ["ask"], expires_in: 600 };
  const { token } = await post(`${running.zone.url}/api/v1/tokens`, ADMIN_TOKENS, created);
  const call = (method: string, params: object): Promise<Json> =>
    post(`${running.url}/a2a/book/`, token, { jsonrpc: "2.0", id: 1, method, params });
  const send = (text: string, { taskId, ...configuration }: { taskId?: string; returnImmediately?: true } = {}) =>
    call("SendMessage", {
      message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...(taskId && { taskId }) },
      configuration,
    });
  const read = async (id: string): Promise<Json> => (await call("GetTask", { id })).result;

  const asked = (await send("book")).result.task;
  expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  await running.kill();
  running = await start();
  expect((await read(asked.id)).status).toEqual(asked.status);
  await send("Oslo", { taskId: asked.id, returnImmediately: true });
  await running.kill();
  running = await start();
  await expect
    .poll(async () => JSON.stringify(await read(asked.id)), { timeout: 30_000, interval: 300 })
    .toMatch(/TASK_STATE_COMPLETED.*Booked: Oslo\./);
  expect((await agent.journal()).map(({ text }) => text)).toEqual(["book", "Oslo"]);
});
