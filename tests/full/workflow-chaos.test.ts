import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { startPostgres } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, onTestFinished, test } from "vitest";
import { bracketAgents, bracketWorkflows, inBrackets, type BracketWorkflow } from "../harness/bracket-workflows.ts";
import { startCluster } from "../harness/start-cluster.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { endOf, retryCall, type TaskProcess } from "../harness/start-task-process.ts";
import { writeWorkflows } from "../harness/write-definitions.ts";
import { createRandom } from "../harness/random.ts";

const count = 200;

/** Number of kills. Each process is killed at least once. */
const kills = 9;

const soon = { timeout: 90_000, interval: 20 };

const seed = Number(process.env["CHAOS_SEED"] ?? randomInt(2 ** 32));

interface Begun {
  readonly workflow: BracketWorkflow;
  readonly text: string;
  /** Id of the task, which the run has too. */
  readonly task: string;
}

describe.skipIf(!(await kafkaIsHere()))("runs while processes crash", { timeout: 300_000 }, () => {
  test("R8.7, N5, B5, B6, B7, B10, B11: processes of every role, the broker and the database are killed during 200 runs: each run ends with the correct output, and each step has one effect", async () => {
    const random = createRandom(seed);
    process.stderr.write(`CHAOS_SEED=${seed}\n`);
    const kafka = await startKafka();
    onTestFinished(() => kafka.stop());
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    let atWork = 0;
    const agent = await startHttpAgent(async (text, method) => {
      atWork += 1;
      await delay(100 + random.int(500));
      atWork -= 1;
      return inBrackets(text, method);
    });
    const WORKFLOWS_DIR = await writeWorkflows(...bracketWorkflows.map(({ definition }) => definition));
    const env = tune({ TASK_ATTEMPTS: 50, AGENT_CALL_ATTEMPTS: 50 }, { WORKFLOWS_DIR });
    const cluster = await startCluster({ kafka, agents: bracketAgents(agent), env, database: postgres.url });
    const starts = [
      cluster.startRpc,
      cluster.startBridge,
      cluster.startBridge,
      cluster.startWorkflow,
      cluster.startWorkflow,
    ] as const;
    const processes = await Promise.all(starts.map((start) => start()));
    const rpc = (): TaskProcess => processes[0] as TaskProcess;

    async function begin(index: number): Promise<Begun> {
      const workflow = bracketWorkflows[index % bracketWorkflows.length] as BracketWorkflow;
      const [id, text] = [randomUUID(), `text ${index}`];
      const params = { channel: "C1", text, bot_token: "handle", agent: workflow.definition.workflow_id };
      const { task_id } = await retryCall(() => rpc().call("execute_task", params, id));
      return { workflow, text, task: String(task_id) };
    }

    async function killProcess(which: number): Promise<void> {
      const [dying, start] = [processes[which], starts[which]];
      dying?.signal("SIGKILL");
      await dying?.ended;
      if (start) processes[which] = await start();
    }

    async function killServer(server: typeof kafka | typeof postgres): Promise<void> {
      await server.kill();
      await delay(random.int(2_000));
      await server.start();
    }

    const others = Array.from({ length: kills - starts.length }, () => random.int(starts.length));
    const disturbances = [...starts.keys(), ...others, kafka, postgres]
      .map((what) => ({ what, at: random.int(1_000_000) }))
      .toSorted((one, other) => one.at - other.at);
    const beginning: Promise<Begun>[] = [];
    const share = Math.ceil(count / disturbances.length);
    for (const { what } of disturbances) {
      while (beginning.length < count && beginning.length % share < share - 1) beginning.push(begin(beginning.length));
      if (beginning.length < count) beginning.push(begin(beginning.length));
      // Runs may be open without progress: while a consumer group waits for a killed member, nothing can be lost.
      await expect.poll(() => atWork, soon).toBeGreaterThan(0);
      await delay(random.int(600));
      await (typeof what === "number" ? killProcess(what) : killServer(what));
    }
    const begun = await Promise.all(beginning);
    const ends = await Promise.all(begun.map(({ task }) => endOf(rpc, task)));
    expect(ends).toMatchObject(
      begun.map(({ workflow, text }) => ({ status: "success", response_text: workflow.output(text) })),
    );
    expect(begun).toHaveLength(count);

    await cluster.quiet();
    expect(await cluster.query("select state, count(*)::int from workflow_run group by 1")).toEqual([
      { state: "succeeded", count },
    ]);
    expect(await cluster.query("select path from workflow_step where state <> 'succeeded' or attempt <> 1")).toEqual(
      [],
    );
    // The agent can recognize a repeated call by its key.
    const effects = new Map<string, Set<string>>();
    for (const { headers, text, messageId } of agent.requests) {
      const key = String(headers["idempotency-key"]);
      effects.set(key, (effects.get(key) ?? new Set()).add(`${messageId} ${text}`));
    }
    const steps = begun.flatMap(({ workflow, task }) =>
      workflow.paths.map((path) => `${task}/${encodeURIComponent(`${task}.${path}.1`)}`),
    );
    expect([...effects.keys()].toSorted()).toEqual(steps.toSorted());
    expect([...effects.values()].filter(({ size }) => size !== 1)).toEqual([]);
    const results = new Set((await cluster.executor.results()).map((result) => JSON.stringify(result)));
    expect(results.size).toBe(steps.length);

    const dead = await Promise.all(
      (["agent_tasks", "agent_results"] as const).map((of) => cluster.executor.deadLetters(of)),
    );
    expect(dead).toEqual([[], []]);
    const waiting = async (zone: TaskProcess): Promise<readonly string[]> =>
      (await (await fetch(`${zone.url}/metrics`)).text()).match(/^bus_queue_messages\{.*\} [^0].*$/gm) ?? [];
    for (const zone of processes) await expect.poll(() => waiting(zone), soon).toEqual([]);
    process.stderr.write(`${steps.length} steps took ${agent.requests.length} requests\n`);
  });
});
