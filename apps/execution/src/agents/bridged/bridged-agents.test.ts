import { type AgentRecord, ZoneError } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { agentResult, startFakeBridge } from "../../testing/fake-bridge.ts";
import { openProcess } from "../../testing/start-executor.ts";
import { startRunner } from "../../testing/start-runner.ts";
import { createSqlConversations } from "../conversations.ts";
import { createBridgedAgents } from "./bridged-agent.ts";

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

  test("R3.4: when the text fills the answer, the agent's other data is dropped", async () => {
    const { url, agent, ...process } = await start();
    const text = "x".repeat(1_000_000);
    const artifacts = [{ artifactId: "a", parts: [{ kind: "text", text: text.repeat(2) }] }];
    await startFakeBridge(process, ({ task_id }) => agentResult(task_id, { output_data: { text, artifacts } }));
    const { submit, runner } = await startRunner({ url, agents: [agent] });
    const task = await runner.waitUntilFinal(await submit({ params: { channel: "C1", text: "all of it" } }), 15_000);
    expect(task.outcome).toMatchObject({ answer: { response_text: text.repeat(2), agent: "A" } });
    expect(task.outcome).not.toHaveProperty("answer.output_data");
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
    const { submit, runner, observer } = await startRunner({ url, agents: [agent] });
    const outcomes = ["ours", "theirs"].map(async (text) => {
      const asked = await submit({ params: { channel: "C1", text } });
      return (await runner.waitUntilFinal(asked, 15_000)).outcome;
    });
    expect(await Promise.all(outcomes)).toMatchObject([
      { error: { kind: "agent_invalid_response", data: { agent: "A" } } },
      { error: { kind: "agent_failed", data: { agent: "A" } } },
    ]);
    expect(JSON.stringify(await Promise.all(outcomes))).not.toContain("no jsonrpc");
    const causes = observer.ended.mock.calls.map(([, { cause }]) => (cause as Error).cause);
    expect(causes).toEqual(expect.arrayContaining([expect.objectContaining({ message: "no jsonrpc" })]));
  });

  test("a task past its deadline is canceled at the bridge; a task released at shutdown is not", async () => {
    const { url, calls, agent, database, ...process } = await start();
    const { tasks, cancellations } = await startFakeBridge(process);
    const { submit, runner } = await startRunner({ url, agents: [agent] });
    const late = await submit({ deadline_ms: 3_000 });
    const left = await submit();
    expect(await runner.waitUntilFinal(late, 15_000)).toMatchObject({ state: "timed_out" });
    await vi.waitFor(() => expect(tasks).toHaveLength(2), 15_000);
    await runner.stop(0);
    await calls.stop();
    await vi.waitFor(() => expect(cancellations).not.toHaveLength(0), 15_000);
    expect(cancellations).toMatchObject([{ task_id: late.task_id }]);
    const open = database.db.selectFrom("job").select("parent").where("kind", "=", "agent_call").where("state", "<", 4);
    expect(await open.execute()).toEqual([{ parent: left.task_id }]);
  });
});

test("an unreadable registry is a retryable error, and other errors keep their kind", async () => {
  const find = vi.fn<() => Promise<undefined>>();
  const agents = createBridgedAgents(
    { find, listEnabled: async () => [] },
    {
      calls: { call: vi.fn<() => never>(), cancel: vi.fn<() => void>() },
      conversations: { find: vi.fn<() => never>(), keep: vi.fn<() => never>() },
    },
  );
  find.mockRejectedValueOnce(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
  await expect(agents.find("A")).rejects.toEqual(expect.any(ZoneError));
  find.mockRejectedValueOnce(new TypeError("broken"));
  await expect(agents.find("A")).rejects.toThrow("broken");
});
