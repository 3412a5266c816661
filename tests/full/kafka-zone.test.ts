import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectFaultSentences } from "../harness/fault-agents.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { startTaskProcess } from "../harness/start-task-process.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";

describe.skipIf(!(await kafkaIsHere()))("the zone on a real broker", () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("R8.6, N5: callers and a bridge work over Kafka; a killed broker or bridge loses no question", async () => {
    let asked = 0;
    const open = Promise.withResolvers<string>();
    const agent = await startHttpAgent(async (text) => (text === "slow" && ++asked === 1 ? open.promise : `${text}!`));
    const database = await newPostgresDatabase();
    const admin = "0123456789abcdef0123456789abcdef";
    const env = {
      AGENT_ORIGINS: agent.origin,
      AGENT_ADMIN_TOKENS: admin,
      KAFKA_BROKERS: kafka.brokers.join(","),
      KAFKA_CREATE_TOPICS: "true",
      TASK_DEADLINE: "100s",
    };
    const answers = await startTaskProcess(database, { ...env, EXECUTION_ROLES: "rpc" });
    const dying = await startTaskProcess(database, { ...env, EXECUTION_ROLES: "bridge" });
    await fetch(`${dying.url}/api/v1/agents`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin}` },
      body: JSON.stringify({ name: "A", url: agent.url }),
    });
    const ask = async (text: string): Promise<string> => {
      const params = { channel: "C1", text, bot_token: "handle", agent: "A" };
      return String((await answers.call("execute_task", params))["task_id"]);
    };
    await vi.waitFor(async () => expect(await ask("one")).toMatch(/-/), { timeout: 30_000, interval: 500 });
    expect(await answers.result(await ask("one"))).toMatchObject({ response_text: "one!" });

    const slow = await ask("slow");
    await vi.waitFor(() => expect(asked).toBe(1), 30_000);
    dying.signal("SIGKILL");
    await dying.ended;
    await kafka.kill();
    const away = await ask("while the broker is away");
    await kafka.start();
    await startTaskProcess(database, { ...env, EXECUTION_ROLES: "bridge" });
    expect(await answers.result(slow)).toMatchObject({ response_text: "slow!" });
    expect(await answers.result(away)).toMatchObject({ response_text: "while the broker is away!" });
    open.resolve("too late");
  }, 180_000);
});

describe.skipIf(!(await kafkaIsHere()))("agents behind Kafka", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("R8.6, R3.1: questions in Slack go over a real broker to working and failing agents of both protocols", async () => {
    const env = { KAFKA_BROKERS: kafka.brokers.join(","), KAFKA_CREATE_TOPICS: "true" };
    const zones = await startWithAgents({ env, timeoutMs: 5_000 });
    expect(await zones.ask("keywords", "the agent asks the other agent")).toContain("agent, 2 times");
    expect(await zones.ask("fingerprint", "abc")).toContain("ba7816bf8f01cfea");
    await expectFaultSentences(zones);
  });
});
