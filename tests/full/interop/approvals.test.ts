import type { AnswerInputResult, InputRequest, InputVoter, TaskInputRequired } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { startOnDatabase } from "@crosszone/testkit/process";
import { writeAgentsFile } from "../../harness/temp-file.ts";
import { startFramework } from "./start-sdk-agent.ts";

/** The first test installs kagent's packages. */
vi.setConfig({ testTimeout: 240_000 });

const requester: InputVoter = { user_id: "U1", team_id: "T1", groups: [] };

test("P3: a graph behind kagent's executor asks for approvals: people decide each, and it runs once with exactly their verdicts", async () => {
  const url = await startFramework({ title: "kagent 1.0.0a17", folder: "kagent" }, "http://127.0.0.1:9");
  const zone = await startOnDatabase(await newSqliteDatabase(), {
    EXECUTION_FILE: writeAgentsFile([{ name: "deleter", url }]),
    AGENT_ORIGINS: "http://127.0.0.1:*",
  });
  const asked = { channel: "C1", user_id: "U1", team_id: "T1", context_id: "thread-1", bot_token: "handle" };
  const { task_id } = await zone.call("execute_task", { ...asked, agent: "deleter", text: "/a /b" });
  const waits = (await zone.result(String(task_id))) as unknown as TaskInputRequired;
  expect(waits.status).toBe("input_required");
  const call = (path: string) => ({ agent: "deleter", tool: "delete_file", arguments: { path } });
  expect(waits.input_requests).toMatchObject([
    { kind: "approve", agent: "deleter", action: call("/a") },
    { kind: "approve", agent: "deleter", action: call("/b") },
  ]);

  const answer = async ({ request_id, action }: InputRequest, given: object): Promise<unknown> => {
    const params = { request_id, answer: given, by: requester, digest: action?.digest };
    return ((await zone.call("answer_input", params)) as unknown as AnswerInputResult).outcome;
  };
  const [first, second] = waits.input_requests as [InputRequest, InputRequest];
  expect(await answer(second, { verdict: "deny", reason: "still needed" })).toBe("decided");
  expect(await answer(first, { verdict: "approve" })).toBe("decided");
  await expect
    .poll(async () => (await zone.result(String(task_id)))["response_text"], { timeout: 60_000 })
    .toBe("/a: deleted, /b: still needed; run 1");
  expect(await answer(first, { verdict: "deny" })).toBe("already_decided");

  // The answered task is not the one that the next message continues.
  const next = await zone.call("execute_task", { ...asked, agent: "deleter", text: "/c" });
  expect(await zone.result(String(next["task_id"]))).toMatchObject({ input_requests: [{ action: call("/c") }] });
});
