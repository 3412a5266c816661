// suite: both
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test } from "vitest";

import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { createReadActivity } from "../registry-api/list-agents.ts";
import { doneWith, taskIn } from "../testing/agent-record.ts";
import { agentNamed, enterTasks, newTask, openBridgeDatabase, soon, startBridge } from "../testing/open-bridge.ts";
import { clientOf, createFakeCaller, echo } from "../testing/start-call.ts";
import { card, result, startCardedAgent } from "../testing/start-carded-agent.ts";
import { startRegistry } from "../testing/start-registry.ts";
import { AgentCallCounts } from "./agent-counts.ts";

const failing = createFakeCaller((call) => {
  const kind = /^(down|asks|wants)/.exec(call.task.task_id)?.[1];
  if (kind === undefined) return echo(call);
  const failed = { down: "unreachable", asks: "input_required", wants: "auth_required" } as const;
  return { output: null, failure: new AgentFailure(failed[kind as "down"], kind), attempts: kind === "down" ? 3 : 1 };
});

onBothEngines("the calls of an agent", (newDatabase) => {
  test("Q17: those of tasks, runs and programs are counted by agent, and stay when their rows leave", async () => {
    const url = await newDatabase();
    const agents = [agentNamed("A"), agentNamed("B")];
    const { caller } = failing;
    const opened = await startBridge(url, { agents, caller });
    const headers = { workflow: { "reply-to": "workflow" }, task: { "reply-to": "execution", "data-owner": "team 1" } };
    const own = { run_id: "run\0 1", correlation_id: "c\u0000 7" };
    await enterTasks(opened, [newTask("down 1", own), newTask("ok 1")], headers.workflow);
    await enterTasks(opened, [newTask("down 2"), newTask("asks 1"), newTask("wants 1")], headers.task);
    await enterTasks(opened, [newTask("down 3"), newTask("ok 2", { agent_name: "B" })]);
    await enterTasks(opened, [newTask("lost", { agent_name: "nobody" })]);
    await expect.poll(() => opened.given.length, soon).toBe(8);
    await opened.database.db.deleteFrom("job").execute();

    const other = await openBridgeDatabase(url);
    const read = createReadActivity(other, new AgentCallCounts(other, () => undefined));
    await expect
      .poll(async () => (await read())("A").day, soon)
      .toEqual({ calls: 6, attempts: 12, failed: 3, asked: 2 });
    const activity = await read();
    expect(activity("A")).toMatchObject({ ended: 6, failed: 3, failure: "unreachable", waiting: 0 });
    expect(activity("B")).toMatchObject({ ended: 1, failed: 0, day: { calls: 1, failed: 0 } });
    expect(activity("B")).not.toHaveProperty("failure", "unreachable");
    // A name that is no agent's could be any text.
    expect(activity("nobody")).toMatchObject({ ended: 0, day: { calls: 0 } });

    await opened.database.db
      .insertInto("workflow_run")
      .values({ run_id: "run\ufffd 1", workflow_id: "nightly" })
      .execute();
    const step = { run_id: "run\ufffd 1", task_id: "down 1", path: "fetch" };
    await opened.database.db.insertInto("workflow_step").values(step).execute();
    const { calls, total } = await opened.counts.failedCalls("A", { limit: 2 });
    expect([calls.length, total]).toEqual([2, 3]);
    const all = (await opened.counts.failedCalls("A", { limit: 9 })).calls;
    expect(new Set(all.map(({ made_by, task_id }) => `${made_by} ${task_id}`))).toEqual(
      new Set(["run down 1", "task down 2", "program down 3"]),
    );
    expect(all.find(({ made_by }) => made_by === "run")).toMatchObject({
      run_id: "run\ufffd 1",
      attempts: 3,
      workflow_id: "nightly",
      path: "fetch",
    });
    expect(all.find(({ made_by }) => made_by === "task")).not.toHaveProperty("path");
    expect(
      await other.db.selectFrom("failed_agent_call").select("team").where("team", "is not", null).execute(),
    ).toEqual([{ team: "team 1" }]);
    await other.close();
  });

  test("Q17: an agent that fails a thousand times keeps its latest 200 failed calls, and counts of two processes add up", async () => {
    const database = await openBridgeDatabase(await newDatabase());
    const [one, two] = [0, 1].map(() => new AgentCallCounts(database, () => undefined)) as [
      AgentCallCounts,
      AgentCallCounts,
    ];
    const ids = { run_id: "r", correlation_id: "c", team: null, made_by: "task", attempts: 1 } as const;
    for (let n = 0; n < 1_000; n += 1) one.count({ agent: "A", task_id: `t ${n}`, kind: "task_failed", ...ids });
    two.count({ agent: "A", task_id: "t", kind: undefined, ...ids });
    await Promise.all([one.close(), two.close()]);
    expect((await two.read()).get("A")?.day).toEqual({ calls: 1_001, attempts: 1_001, failed: 1_000, asked: 0 });
    expect((await two.failedCalls("A", { limit: 1 })).total).toBe(500);
    one.count({ agent: "A", task_id: "last", kind: "unreachable", ...ids });
    await one.read();
    await one.purge.purge();
    const { calls, total } = await one.failedCalls("A", { limit: 1 });
    expect([calls[0]?.task_id, total]).toEqual(["last", 200]);
    for (const table of ["agent_call_count", "failed_agent_call"] as const)
      await database.db
        .updateTable(table)
        .set(table === "agent_call_count" ? { hour: 0 } : { at: 0 })
        .execute();
    expect(await one.purge.purge()).toBeGreaterThan(0);
    expect((await one.failedCalls("A", { limit: 1 })).total).toBe(0);
    expect((await one.read()).size).toBe(0);
    await database.close();
  });
});

describe("an agent that asks back", () => {
  test.each(["input-required", "auth-required"])(
    "Q18: %s is no failure: no error in the log, none in the counts, and still an end",
    async (state) => {
      const agent = await startCardedAgent({ card, answers: { "message/stream": result(taskIn(state)) } });
      const { eventsOf, end } = agent.start();
      const kind = state.replace("-", "_");
      expect(await end).toMatchObject({ failure: { kind }, output: null });
      expect(eventsOf("agent_call_failed")).toEqual([]);
      expect(eventsOf("agent_call_ended")).toMatchObject([{ status: "asked", kind }]);
    },
  );

  test("Q18: the stored end of its call says that it asked", async () => {
    const { caller } = failing;
    const opened = await startBridge(await newSqliteDatabase(), { caller });
    await enterTasks(opened, [newTask("asks 1"), newTask("down 1")]);
    await expect.poll(() => opened.given.length, soon).toBe(2);
    await expect.poll(() => opened.eventsOf("bridge_call_ended").length, soon).toBe(2);
    const states = opened.eventsOf("bridge_call_ended").map(({ kind, state }) => `${String(kind)} ${String(state)}`);
    expect(states.toSorted()).toEqual(["input_required asked", "unreachable failed"]);
    expect(opened.given.map(({ value }) => value.status)).toEqual(["FAILURE", "FAILURE"]);
  });

  test("Q18: looks at its open question are no calls", async () => {
    const { caller } = failing;
    const opened = await startBridge(await newSqliteDatabase(), { caller });
    await enterTasks(opened, [newTask("asks 1")], { "reply-to": "execution" });
    await enterTasks(opened, [newTask("asks 2")], { "reply-to": "execution", follows: "true" });
    await expect.poll(() => opened.given.length, soon).toBe(2);
    expect((await opened.counts.read()).get("A")?.day?.asked).toBe(1);
  });
});

test("Q17: a test of a registered agent counts, and one of a URL does not", async () => {
  const answers = { "message/stream": [result(taskIn("failed")), result(doneWith("Hi"))] };
  const agent = await startCardedAgent({ card, answers });
  const { ask, counts } = await startRegistry({ client: clientOf({ origins: [agent.url] }) });
  await ask("POST /agents", { name: "a", url: agent.url });
  await ask("POST /agent-tests", { agent: "a", text: "Hi" });
  await ask("POST /agent-tests", { url: agent.url, text: "Hi" });
  const { body } = await ask("GET /agents/a/failed-calls");
  expect(body).toMatchObject({ total: 1, calls: [{ made_by: "test", kind: "task_failed", attempts: 1 }] });
  expect((await counts.read()).get("a")?.day).toMatchObject({ calls: 1, failed: 1 });
  expect((await ask("GET /agents/b/failed-calls")).status).toBe(404);
});

test("Q17: calls wait for a database that is away, and none is lost", async () => {
  const failures: unknown[] = [];
  const url = await newSqliteDatabase();
  const database = await openBridgeDatabase(url);
  let isAway = true;
  const { transaction } = database;
  const away: typeof transaction = (work) =>
    isAway ? Promise.reject(new Error("the database is away")) : transaction(work);
  const counts = new AgentCallCounts({ ...database, transaction: away }, (cause) => failures.push(cause));
  const ids = { run_id: "r", correlation_id: "c", team: null, made_by: "task", attempts: 1 } as const;
  counts.count({ agent: "A", task_id: "t 1", kind: "unreachable", ...ids });
  expect((await counts.read()).size).toBe(0);
  counts.count({ agent: "A", task_id: "t 2", kind: "unreachable", ...ids });
  isAway = false;
  expect((await counts.read()).get("A")?.day).toMatchObject({ calls: 2, failed: 2 });
  expect((await counts.failedCalls("A", { limit: 9 })).total).toBe(2);
  expect(failures).toHaveLength(1);
  await counts.close();
  await database.close();
});
