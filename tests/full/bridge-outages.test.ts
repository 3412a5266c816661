import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { startPostgres } from "@crosszone/testkit/postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { endOf, retryCall } from "../harness/start-task-process.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { startCluster } from "../harness/start-cluster.ts";
import { tune } from "@crosszone/testkit/tune";

const count = 200;

describe.skipIf(!(await kafkaIsHere()))("outages during tasks", { timeout: 300_000 }, () => {
  test("R8.6, N5, B5, B7: the broker and then the database are killed during 200 tasks: each ends with one result", async () => {
    const kafka = await startKafka();
    onTestFinished(() => kafka.stop());
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const [brokerDied, databaseDied] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [manyAsked, mostAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Some answers come before the outages, some during each.
    const agent = await startHttpAgent(async (text) => {
      const asked = agent.requests.length;
      if (asked >= 40) manyAsked.resolve();
      if (asked >= 120) mostAsked.resolve();
      if (asked >= 40) await brokerDied.promise;
      if (asked >= 120) await databaseDied.promise;
      return `${text}!`;
    });
    const env = tune({ TASK_LEASE_MS: 10_000, TASK_ATTEMPTS: 10, AGENT_CALL_ATTEMPTS: 10 }, { MAX_AGENT_CALLS: "40" });
    const agents = [{ name: "A", url: agent.url, max_concurrency: 20, timeout_ms: 120_000 }];
    const cluster = await startCluster({ kafka, agents, env, database: postgres.url });
    const [rpc, other] = await Promise.all([
      cluster.startRpc(),
      cluster.startRpc(),
      cluster.startBridge(),
      cluster.startBridge(),
    ]);
    const askers = [rpc, other];
    const asking = Array.from({ length: count }, async (_, n) => {
      const [id, params] = [randomUUID(), { channel: "C1", text: `question ${n}`, bot_token: "handle", agent: "A" }];
      return String((await retryCall(() => (askers[n % 2] ?? rpc).call("execute_task", params, id)))["task_id"]);
    });
    await manyAsked.promise;
    await kafka.kill();
    brokerDied.resolve();
    const piledUp = "select count(*) as waiting from job where share like 'publish %' and state < 2";
    await expect
      .poll(async () => Number((await cluster.query(piledUp))[0]?.["waiting"]), { timeout: 90_000 })
      .toBeGreaterThan(0);
    await kafka.start();

    await mostAsked.promise;
    await postgres.kill();
    databaseDied.resolve();
    await delay(1_000);
    await postgres.start();

    const tasks = await Promise.all(asking);
    const ends = await Promise.all(tasks.map((task, n) => endOf(() => askers[(n + 1) % 2] ?? rpc, task)));
    expect(ends).toMatchObject(tasks.map((_, n) => ({ status: "success", response_text: `question ${n}!` })));
    // The agent can recognize a repeated request by its id.
    const ids = agent.requests.map(
      ({ id, messageId, headers }) => `${id} ${messageId} ${String(headers["idempotency-key"])}`,
    );
    expect(new Set(ids)).toEqual(new Set(tasks.map((task) => `${task} msg-${task} ${task}/${task}`)));

    await cluster.quiet();
    const results = await cluster.executor.results();
    const different = new Set(results.map((result) => JSON.stringify(result)));
    expect([...different].map((text) => (JSON.parse(text) as { task_id: string }).task_id).toSorted()).toEqual(
      tasks.toSorted(),
    );
    expect(await Promise.all(tasks.map((task) => endOf(() => rpc, task)))).toEqual(ends);
    process.stderr.write(
      `of ${count} tasks the agent was asked ${agent.requests.length} times, and ${results.length} messages have their results\n`,
    );
  });
});
