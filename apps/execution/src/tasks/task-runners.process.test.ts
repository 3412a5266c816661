// suite: rest
// @module-tag judge
import { newVault } from "../testing/new-task.ts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { startRunner, type TestRunner, type TestRunnerOptions } from "../testing/start-runner.ts";
import { agentThat } from "../testing/start-zone.ts";

const never: Agent["run"] = () => new Promise(() => {});
const says = (response_text: string): Agent => agentThat(async () => ({ response_text }), "builtin");
const hangs = agentThat(never, "builtin");
/** The lease of the first process, for tests in which it dies soon. One that lives must not lose its lease by accident. */
const short = { firstLeaseMs: 1_000, leaseMs: 6_000 };

type Options = Partial<TestRunnerOptions> & { readonly firstLeaseMs?: number };

onBothEngines("two processes with one database", (newDatabase) => {
  /** Starts runners that share a database, one for each agent. */
  async function start(agents: readonly Agent[], options: Options = {}): Promise<TestRunner[]> {
    const url = await newDatabase();
    const { leaseMs = 60_000, firstLeaseMs = leaseMs, ...more } = options;
    return Promise.all(
      agents.map((agent, at) =>
        startRunner({ url, leaseMs: at === 0 ? firstLeaseMs : leaseMs, agents: [agent], ...more }),
      ),
    );
  }
  const two = async (one: Agent, other: Agent, options?: Options) =>
    (await start([one, other], options)) as [TestRunner, TestRunner];
  const endOf = ({ runner }: TestRunner, task: Parameters<TestRunner["runner"]["cancel"]>[0]) =>
    runner.waitUntilSettled(task, 30_000);

  test("a task is not repeated if its agent is not repeatable, and is an error if its agent is gone", async () => {
    const [one, other] = await two({ ...hangs, repeatable: false }, { ...says("no"), repeatable: false }, short);
    const [once, gone] = await Promise.all([one.submit(), one.submit({ agent: "retired" })]);
    one.cutOff();
    expect(await endOf(other, once)).toMatchObject({ outcome: { error: { kind: "zone_unavailable" } } });
    expect(await endOf(other, gone)).toMatchObject({ outcome: { error: { kind: "unknown_agent" } } });
  });

  test("B6: a task with files is run again if its handle is stored sealed, and is an error otherwise", async () => {
    const params = { channel: "C1", text: "hi", attachments: [{ id: "F1" }] };
    const reads = agentThat(
      async (_, { readFile }) => ({ response_text: new TextDecoder().decode(await readFile("F1")) }),
      "builtin",
    );
    const vault = newVault();
    for (const options of [{ vault }, {}]) {
      const [one, other] = await two(hangs, reads, { ...short, ...options });
      const task = await one.submit({ params });
      one.cutOff();
      const outcome = !("vault" in options)
        ? { error: { kind: "zone_unavailable" } }
        : { answer: { response_text: "the-handle opens F1" } };
      expect(await endOf(other, task)).toMatchObject({ outcome });
    }
  });

  test("a stop releases tasks that continue elsewhere at once, and lets the others end", async () => {
    const answer = Promise.withResolvers<{ response_text: string }>();
    const working = agentThat(() => answer.promise, "builtin");
    const [one, other] = await two({ ...hangs, isBegun: async () => true }, says("from the second"), {
      leaseMs: 6_000,
      mostAttempts: 1,
    });
    const [waits, works] = [await one.submit(), await one.submit({}, working)];
    const waiting = endOf(one, waits);
    const stopped = one.runner.stop(60_000);
    expect(await waiting).toMatchObject({ state: "working" });
    expect(one.events("task_released")).toMatchObject([{ task_id: waits.task_id }]);
    expect(await endOf(other, waits)).toMatchObject({ outcome: { answer: { response_text: "from the second" } } });
    expect(other.events("task_started")).toMatchObject([{ attempt: 1 }]);
    answer.resolve({ response_text: "in time" });
    await stopped;
    expect(await one.store.get(works.task_id)).toMatchObject({ outcome: { answer: { response_text: "in time" } } });
  });

  test("B6: a task begun elsewhere is awaited after any number of crashes; one that was not begun is an error", async () => {
    const begun: string[] = [];
    const isBegun = async (taskId: string): Promise<boolean> => begun.includes(taskId);
    const options = { ...short, mostAttempts: 1 };
    const [one, other] = await two({ ...hangs, isBegun }, { ...says("from the second"), isBegun }, options);
    const params = { channel: "C1", text: "hi", attachments: [{ id: "F1" }] };
    const [went, files, not] = await Promise.all([one.submit(), one.submit({ params }), one.submit()]);
    begun.push(went.task_id, files.task_id);
    one.cutOff();
    for (const task of [went, files])
      expect(await endOf(other, task)).toMatchObject({ outcome: { answer: { response_text: "from the second" } } });
    expect(await endOf(other, not)).toMatchObject({ outcome: { error: { kind: "zone_unavailable" } } });
  });

  test("a stop ends tasks that can't be repeated, so none stays working", async () => {
    const [one, other] = await two({ ...hangs, repeatable: false }, says("no"));
    const task = await one.submit();
    await one.runner.stop(20);
    expect(await endOf(other, task)).toMatchObject({ outcome: { error: { kind: "shutting_down" } } });
  });
});
