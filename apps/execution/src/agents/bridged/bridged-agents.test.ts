// suite: both
import {
  type AgentError,
  type AgentErrorKind,
  type AgentRecord,
  type AgentResult,
  type AgentTask,
  ZoneError,
} from "@crosszone/contracts";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test, vi } from "vitest";
import { agentResult, startFakeBridge } from "../../testing/fake-bridge.ts";
import { openProcess } from "../../testing/start-executor.ts";
import { startRunner } from "../../testing/start-runner.ts";
import { contextIdOf, createSqlConversations } from "../conversations.ts";
import { type BridgedAgentDeps, createBridgedAgent, createBridgedAgents } from "./bridged-agent.ts";

const record = (name: string, enabled = true) => ({ name, description: `does ${name}`, enabled }) as AgentRecord;

const known = [record("A"), { ...record("B"), side_effects: true }, record("off", false)];

/** Starts a process that runs bridged tasks, on a database that others may share. */
async function startProcess(url: string) {
  const process = await openProcess(url);
  const { calls, database } = process;
  const registry = {
    find: async (name: string) => known.find((one) => one.name === name),
    listEnabled: async () => known.filter(({ enabled }) => enabled),
  };
  const agents = createBridgedAgents(registry, {
    calls,
    conversations: createSqlConversations(database, { retentionMs: 60_000 }),
  });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  return { ...process, agents, agent };
}

describe("bridged agents", () => {
  onBothEngines("agents of the registry", (newDatabase) => {
    const start = async () => startProcess(await newDatabase());

    test("enabled agents are listed, and other names are unknown", async () => {
      const { agents } = await start();
      expect((await agents.list()).map(({ name, description }) => [name, description])).toEqual([
        ["A", "does A"],
        ["B", "does B"],
      ]);
      expect((await agents.find("B"))?.name).toBe("B");
      const described = (await agents.list()).map(async (agent) => agent.describe?.());
      expect(await Promise.all(described)).toEqual([{ sideEffects: false }, { sideEffects: true }]);
      expect(await agents.find("off")).toBeUndefined();
      expect(await agents.find("nobody")).toBeUndefined();
    });

    test("Q19: an agent is described by its registration, and where that says nothing by its card", async () => {
      const skill = { id: "count", name: "Count", description: "Counts.", examples: ["How many?"] };
      const card = { name: "Counter", description: "Counts words.", skills: [skill] };
      const deps = {} as BridgedAgentDeps;
      const by = (members: Partial<AgentRecord>) => {
        const { description, ownWords, skills } = createBridgedAgent({ ...record("A"), ...members }, deps);
        return [description, ownWords, skills];
      };
      expect(by({})).toEqual(["does A", undefined, []]);
      expect(by({ card })).toEqual(["does A", "skills", [skill]]);
      expect(by({ description: " ", card })).toEqual(["Counts words.", "all", [skill]]);
      expect(by({ description: "", card: { ...card, description: "" } })).toEqual(["Counter", "all", [skill]]);
      expect(by({ description: "", card: { name: "A", description: "", skills: [] } })).toEqual(["", "all", []]);
    });

    test("R3.4: when the text fills the answer, the agent's other data is dropped", async () => {
      const { url, agent, ...process } = await start();
      const text = "x".repeat(1_000_000);
      const artifacts = [{ artifactId: "a", parts: [{ kind: "text", text: text.repeat(2) }] }];
      await startFakeBridge(process, ({ task_id }) => agentResult(task_id, { output_data: { text, artifacts } }));
      const { submit, runner } = await startRunner({ url, agents: [agent] });
      const task = await runner.waitUntilSettled(
        await submit({ params: { channel: "C1", text: "all of it" } }),
        60_000,
      );
      expect(task.outcome).toMatchObject({ answer: { response_text: text.repeat(2), agent: "A" } });
      expect(task.outcome).toMatchObject({ answer: { output_data: undefined } });
    });

    test("R3.3, E1: a failure ends the task with its kind on the zone link; its text is only logged", async () => {
      const { url, agent, ...process } = await start();
      const error = { kind: "invalid_envelope", message: "no jsonrpc", retryable: false } as const;
      const failed = { status: "FAILURE", output_data: null } as const;
      await startFakeBridge(process, ({ task_id, input_data }) =>
        agentResult(task_id, {
          ...failed,
          error_message: "no jsonrpc",
          // An executor of other software returns only a sentence.
          ...((input_data as { text: string }).text === "ours" && { error }),
        }),
      );
      const { submit, runner, events } = await startRunner({ url, agents: [agent] });
      const outcomes = ["ours", "theirs"].map(async (text) => {
        const asked = await submit({ params: { channel: "C1", text } });
        return (await runner.waitUntilSettled(asked, 60_000)).outcome;
      });
      expect(await Promise.all(outcomes)).toMatchObject([
        { error: { kind: "agent_invalid_response", data: { agent: "A" } } },
        { error: { kind: "agent_failed", data: { agent: "A" } } },
      ]);
      expect(JSON.stringify(await Promise.all(outcomes))).not.toContain("no jsonrpc");
      const causes = events("task_failed").map(({ cause }) => (cause as Error).cause);
      expect(causes).toEqual(expect.arrayContaining([expect.objectContaining({ message: "no jsonrpc" })]));
    });

    test("a task past its deadline is canceled at the bridge; a task released at shutdown is not", async () => {
      const { url, calls, agent, database, ...process } = await start();
      const { tasks, cancellations } = await startFakeBridge(process);
      const { submit, runner } = await startRunner({ url, agents: [agent] });
      const late = await submit({ deadline_ms: 3_000 });
      const left = await submit();
      expect(await runner.waitUntilSettled(late, 60_000)).toMatchObject({ state: "timed_out" });
      await vi.waitFor(() => expect(tasks).toHaveLength(2));
      await runner.stop(0);
      await calls.stop();
      await vi.waitFor(() => expect(cancellations).not.toHaveLength(0));
      expect(cancellations).toMatchObject([{ task_id: late.task_id }]);
      const open = database.db
        .selectFrom("job")
        .select("parent")
        .where("kind", "=", "agent_call")
        .where("state", "<", 4);
      expect(await open.execute()).toEqual([{ parent: left.task_id }]);
    });
  });
});

describe("bridged conversation", () => {
  const agentA = { name: "A", description: "does A" } as AgentRecord;

  const failedWith = (kind: AgentErrorKind, agent_says: string, others: Partial<AgentResult> = {}) => {
    const data = { agent_says, response: agent_says };
    const error: AgentError = { kind, message: `${kind} of the agent`, retryable: kind === "unreachable", data };
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
    const agent = createBridgedAgent({ ...agentA, ...own }, { calls: process.calls, conversations, ...deps });
    const tasks: AgentTask[] = [];
    await startFakeBridge(process, (task) => agentResult(task.task_id, answers[tasks.push(task) - 1] ?? {}));
    const { submit, runner } = await startRunner({ url, agents: [agent] });
    const ask = async (text: string, context_id: string, thread: readonly string[] = []) => {
      const earlier = thread.map((said) => ({ text: said }));
      const task = await submit({ params: { channel: "C1", text, context_id, thread: earlier } });
      const { outcome } = await runner.waitUntilSettled(task, 60_000);
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
    const asks = failedWith("input_required", "Which city?", { open_task_id: "remote-1" });
    const { ask, tasks } = await startConversation([asks, failedWith("unreachable", ""), {}]);
    expect(await ask("go", "t")).toMatchObject({ response_text: "Which city?", awaits: "input" });
    await expect(ask("done", "t")).rejects.toMatchObject({ kind: "agent_unavailable" });
    await ask("done now", "t");
    expect(tasks.map(({ open_task_id }) => open_task_id)).toEqual([undefined, "remote-1", "remote-1"]);
  });

  test("I1: an agent's refusal is passed on literally, the reason for its owner only if enabled", async () => {
    const refusal = failedWith("task_rejected", "I only read English.");
    const { ask } = await startConversation([refusal]);
    const plain = await ask("hi", "t").catch((thrown: unknown) => thrown);
    expect(plain).toMatchObject({ kind: "agent_failed", data: { agent: "A", agent_says: "I only read English." } });
    expect(plain).toMatchObject({ data: { owner_detail: undefined } });
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
    const { ask, tasks } = await startConversation([failedWith("unreachable", ""), {}], {}, { send_thread: true });
    await expect(ask("weather", "thread-1", ["hello"])).rejects.toMatchObject({ kind: "agent_unavailable" });
    await ask("weather", "thread-1", ["hello"]);
    expect(tasks[1]?.input_data).toEqual({ text: "weather", thread: [{ text: "hello" }] });
  });
});
