import {
  type AgentError,
  type AgentErrorKind,
  type AgentRecord,
  type AgentResult,
  type AgentTask,
  ZoneError,
} from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { agentResult, startFakeBridge } from "../../testing/fake-bridge.ts";
import { openProcess } from "../../testing/start-executor.ts";
import { startRunner } from "../../testing/start-runner.ts";
import { contextIdOf, createSqlConversations } from "../conversations.ts";
import { type BridgedAgentDeps, createBridgedAgent } from "./bridged-agent.ts";

const record = { name: "A", description: "does A" } as AgentRecord;

const failedWith = (kind: AgentErrorKind, agent_says: string, others: Partial<AgentResult> = {}) => {
  const error: AgentError = { kind, message: `${kind} of the agent`, retryable: false, data: { agent_says } };
  return { status: "FAILURE" as const, output_data: null, error, ...others };
};

/** Starts an agent for conversations in threads. It returns one of `answers` for each message. */
async function startConversation(
  answers: readonly Partial<AgentResult>[],
  deps: Partial<BridgedAgentDeps> = {},
  own: Partial<AgentRecord> = {},
) {
  const url = await newSqliteDatabase();
  const process = await openProcess(url);
  const conversations = createSqlConversations(process.database, { retentionMs: 60_000 });
  const agent = createBridgedAgent({ ...record, ...own }, { calls: process.calls, conversations, ...deps });
  const tasks: AgentTask[] = [];
  await startFakeBridge(process, (task) => agentResult(task.task_id, answers[tasks.push(task) - 1] ?? {}));
  const { submit, runner } = await startRunner({ url, agents: [agent] });
  const ask = async (text: string, context_id: string, thread: readonly string[] = []) => {
    const earlier = thread.map((said) => ({ text: said }));
    const task = await submit({ params: { channel: "C1", text, context_id, thread: earlier } });
    const { outcome } = await runner.waitUntilFinal(task, 30_000);
    if (outcome === undefined) throw new Error("the task did not end");
    if ("error" in outcome) throw new ZoneError(outcome.error.kind, outcome.error.data);
    return outcome.answer;
  };
  return { ask, tasks };
}

test("I4: a thread is one conversation: a question stays open for the next message, and an answer ends it", async () => {
  const asks = failedWith("input_required", "Which city?", { context_id: "theirs", open_task_id: "remote-1" });
  const { ask, tasks } = await startConversation([asks, { output_data: { text: "Rome it is" } }, {}]);
  const question = await ask("weather", "thread-1");
  expect(question).toMatchObject({ response_text: "Which city?", awaits: "input", agent: "A" });
  const answer = await ask("Rome", "thread-1");
  expect(answer.response_text).toBe("Rome it is");
  expect(answer).not.toHaveProperty("awaits");
  await ask("thanks", "thread-1");
  await ask("hello", "thread-2");
  const [own, other] = ["thread-1", "thread-2"].map((thread) => contextIdOf(thread, "A"));
  expect(tasks.map(({ context_id, open_task_id }) => [context_id, open_task_id])).toEqual([
    [own, undefined],
    ["theirs", "remote-1"],
    ["theirs", undefined],
    [other, undefined],
  ]);
});

test("I4: an unreachable agent keeps its question open", async () => {
  const asks = failedWith("auth_required", "Sign in first.", { open_task_id: "remote-1" });
  const error: AgentError = { kind: "unreachable", message: "no connection", retryable: true };
  const { ask, tasks } = await startConversation([asks, { status: "FAILURE", output_data: null, error }, {}]);
  expect(await ask("go", "t")).toMatchObject({ response_text: "Sign in first.", awaits: "authorization" });
  await expect(ask("done", "t")).rejects.toMatchObject({ kind: "agent_unavailable" });
  await ask("done now", "t");
  expect(tasks.map(({ open_task_id }) => open_task_id)).toEqual([undefined, "remote-1", "remote-1"]);
});

test("I1: an agent's refusal is passed on literally, the reason for its owner only if enabled", async () => {
  const refusal = failedWith("task_rejected", "I only read English.");
  const { ask } = await startConversation([refusal]);
  const plain = await ask("hi", "t").catch((thrown: unknown) => thrown);
  expect(plain).toMatchObject({ kind: "agent_failed", data: { agent: "A", agent_says: "I only read English." } });
  expect(plain).not.toHaveProperty("data.owner_detail");
  const shown = await startConversation([refusal], { showDetail: true });
  await expect(shown.ask("hi", "t")).rejects.toMatchObject({ data: { owner_detail: "task_rejected of the agent" } });
});

test("I9: an agent with a memory was told the thread again with each message, as text of the person", async () => {
  const asks = failedWith("input_required", "Which city?", { open_task_id: "remote-1" });
  const shown = async (own: Partial<AgentRecord>) => {
    const { ask, tasks } = await startConversation([asks, {}, {}], {}, own);
    await ask("weather", "thread-1", ["hello"]);
    await ask("Rome", "thread-1", ["hello", "weather"]);
    await ask("thanks", "thread-1", ["hello", "weather", "Rome"]);
    return tasks.map(({ input_data }) => input_data);
  };
  const [texts, thread] = [[{ text: "weather" }, { text: "Rome" }, { text: "thanks" }], [{ text: "hello" }]];
  expect(await shown({})).toEqual(texts);
  expect(await shown({ send_thread: true })).toEqual([{ text: "weather", thread }, ...texts.slice(1)]);
  const forgetful = await shown({ send_thread: true, protocol: "simple-a2a" });
  expect(forgetful[2]).toMatchObject({ thread: [{ text: "hello" }, { text: "weather" }, { text: "Rome" }] });
});

test("an agent that could not be reached has not got the thread, so it gets it with the next message", async () => {
  const error: AgentError = { kind: "unreachable", message: "away", retryable: true };
  const away = { status: "FAILURE" as const, output_data: null, error };
  const { ask, tasks } = await startConversation([away, {}], {}, { send_thread: true });
  await expect(ask("weather", "thread-1", ["hello"])).rejects.toMatchObject({ kind: "agent_unavailable" });
  await ask("weather", "thread-1", ["hello"]);
  expect(tasks[1]?.input_data).toEqual({ text: "weather", thread: [{ text: "hello" }] });
});
