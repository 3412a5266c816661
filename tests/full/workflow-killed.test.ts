import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bracketAgents, bracketWorkflows, inBrackets } from "../harness/bracket-workflows.ts";
import { adminToken, runsApi, type RunsApi } from "../harness/runs-api.ts";
import { startCluster, type Cluster } from "../harness/start-cluster.ts";
import { startHttpAgent, type AgentWork, type HttpAgent } from "../harness/start-http-agent.ts";
import type { TaskProcess } from "../harness/start-task-process.ts";
import { writeWorkflows } from "../harness/write-definitions.ts";

const soon = { timeout: 90_000, interval: 20 };

async function kill(zone: TaskProcess): Promise<void> {
  zone.signal("SIGKILL");
  await zone.ended;
}

interface Stage {
  readonly agent: HttpAgent;
  readonly cluster: Cluster;
  readonly api: RunsApi;
}

const idsOf = ({ requests }: HttpAgent): readonly string[] => requests.map(({ id }) => id);

describe.skipIf(!(await kafkaIsHere()))("killed workflow executors", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  /** Starts a process for callers and one that calls agents. Tests start executors. */
  async function startStage(work: AgentWork): Promise<Stage> {
    const agent = await startHttpAgent(work);
    const WORKFLOWS_DIR = await writeWorkflows(...bracketWorkflows.map(({ definition }) => definition));
    const env = { WORKFLOWS_DIR, AGENT_ADMIN_TOKENS: adminToken };
    const cluster = await startCluster({ kafka, agents: bracketAgents(agent), env });
    const [rpc] = await Promise.all([cluster.startRpc(), cluster.startBridge()]);
    return { agent, cluster, api: runsApi(rpc.url) };
  }

  test("R8.7, B5, B6, B7: the only executor is killed during a run; the next one continues, and no step is called twice", async () => {
    const answer = Promise.withResolvers<void>();
    const { agent, cluster, api } = await startStage(async (text, method) => {
      if (text === "[(x)]") await answer.promise;
      return inBrackets(text, method);
    });
    const executor = await cluster.startWorkflow();
    const run = await api.start("chain", { text: "x" });
    await vi.waitFor(() => expect(agent.requests).toHaveLength(3), soon);
    await kill(executor);
    answer.resolve();
    // The answer is on the topic without a consumer.
    await expect.poll(async () => (await cluster.executor.resultsOf(`${run}.c.1`)).length, soon).toBe(1);
    expect(await api.run(run)).toMatchObject({ state: "running" });
    await cluster.startWorkflow();
    expect(await api.ended(run)).toMatchObject({ state: "succeeded", output: { text: "([([(x)])])" } });
    expect(idsOf(agent)).toEqual(["a", "b", "c", "d", "e"].map((step) => `${run}.${step}.1`));
  });

  test("R8.7, B1, B4: two executors share the runs, and the steps of one run", async () => {
    const { agent, cluster, api } = await startStage(inBrackets);
    const executors = await Promise.all([cluster.startWorkflow(), cluster.startWorkflow()]);
    const begun: string[] = [];
    const endedBy = ({ log }: TaskProcess): number => log.filter(({ event }) => event === "run_ended").length;
    // One executor may do everything until both have their share of the topic.
    while (executors.some((executor) => endedBy(executor) === 0)) {
      const run = await api.start("round", { text: "x" });
      begun.push(run);
      expect(await api.ended(run)).toMatchObject({ state: "succeeded", output: { text: "([1 (x)] [2 (x)] [3 (x)])" } });
    }
    expect(executors.reduce((sum, executor) => sum + endedBy(executor), 0)).toBe(begun.length);
    expect(agent.requests).toHaveLength(5 * begun.length);
  });

  test("R8.7, N5, B6: a run that passes its deadline without an executor times out when one is back, and its agent call is canceled", async () => {
    const { agent, cluster, api } = await startStage(() => new Promise(() => undefined));
    const executor = await cluster.startWorkflow();
    const request = { workflow_id: "fan", input: { text: "x" }, deadline_ms: 3_000 };
    const { run_id } = (await api.post("/runs", request)) as { run_id: string };
    await vi.waitFor(() => expect(agent.requests).toHaveLength(1), soon);
    await kill(executor);
    const { deadline = "" } = await api.run(run_id);
    await expect.poll(() => Date.now(), soon).toBeGreaterThan(Date.parse(deadline) + 1_000);
    expect(await api.run(run_id)).toMatchObject({ state: "running" });
    await cluster.startWorkflow();
    expect(await api.ended(run_id)).toMatchObject({ state: "timed_out", error: { kind: "run_timed_out" } });
    await vi.waitFor(() => expect(agent.requests).toMatchObject([{ left: true }]), soon);
  });

  test("R8.7, N5, B12: a run that is canceled without an executor cancels its agent call, and no step begins when one is back", async () => {
    const { agent, cluster, api } = await startStage((text, method) =>
      text === "x" ? inBrackets(text, method) : new Promise(() => undefined),
    );
    const executor = await cluster.startWorkflow();
    const run = await api.start("fan", { text: "x" });
    await vi.waitFor(() => expect(agent.requests).toHaveLength(4), soon);
    await kill(executor);
    expect(await api.post(`/runs/${run}/cancel`)).toMatchObject({ state: "canceled" });
    await vi.waitFor(() => expect(agent.requests.map(({ left }) => left)).toEqual([false, true, true, true]), soon);
    await cluster.startWorkflow();
    await cluster.quiet();
    expect(await api.run(run)).toMatchObject({ state: "canceled" });
    expect(agent.requests).toHaveLength(4);
  });
});
