import { startDevAgents } from "@crosszone/dev-agents";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectEachOutcome, faultAgents } from "../harness/fault-agents.ts";
import { startCluster } from "../harness/start-cluster.ts";
import { tune } from "@crosszone/testkit/tune";

describe.skipIf(!(await kafkaIsHere()))("failing agents behind Kafka and PostgreSQL", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("R8.6, N4, B10, B14: whatever an agent does wrong, the caller and the topic get one correct result, and only one loop retries", async () => {
    const dev = await startDevAgents({ slowMs: 500, taskMs: 500 });
    onTestFinished(() => dev.close());
    const agents = faultAgents(dev);
    const cluster = await startCluster({
      kafka,
      agents: agents.map(({ settings }) => settings),
      // No process dies here, and a busy machine must not make another one take over.
      env: tune({ TASK_LEASE_MS: 60_000 }),
    });
    const [rpc] = await Promise.all([cluster.startRpc(), cluster.startBridge(), cluster.startBridge()]);
    const tasks = await expectEachOutcome(rpc, agents);

    await cluster.quiet();
    const results = await cluster.executor.results();
    const told = agents.map(({ settings: { name }, expected }) => {
      const own = results.filter(({ task_id }) => task_id === tasks.get(name));
      return [name, own.map(({ status, error, attempts }) => [error?.kind ?? status, attempts]), expected] as const;
    });
    for (const [name, own, { onBus, calls }] of told) expect([name, own]).toEqual([name, [[onBus, calls]]]);
    expect(results).toHaveLength(agents.length);
    const waited = agents.filter(({ fault }) => fault === "rate_limited");
    for (const { asked } of waited) {
      const [first = 0, second = 0] = asked().map(({ at }) => Date.parse(at));
      // The delay that the agent asked for, less the error of a timer and two clocks.
      expect(second - first).toBeGreaterThan(900);
    }
  });
});
