import type { WorkflowDefinition } from "@crosszone/contracts";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEndlessUpstream } from "./start-endless-upstream.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/write-definitions.ts";

const rounds = 200;
/** Slack accepts a message a second in each channel. */
const lanes = 5;
/** Longer than any timeout, so that only Stop ends a call without an answer. */
const timeout_ms = 240_000;
const many = "100000";

const waits: WorkflowDefinition = {
  workflow_id: "waits",
  name: "Waits",
  version: "1.0.0",
  start_step: "wait",
  steps: {
    wait: {
      id: "wait",
      type: "agent",
      agent_name: "late",
      input_mapping: { text: "${workflow.input.text}" },
      next_step: null,
    },
  },
};

/** The kinds of work that Stop ends, and the questions that start them. */
const works = {
  "an agent": (word: string) => `ask late: ${word}`,
  "a model": (word: string) => `ask assistant: write ${word}`,
  "a tool of a model": (word: string) => `ask assistant: call late ${word}`,
  "a run": (word: string) => `run waits: ${word}`,
};

describe.skipIf(!(await kafkaIsHere()))("Stop over both zones, Kafka and HTTP", { timeout: 400_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test(`T5: Stop closes the socket of every kind of work within a second, ${rounds} times`, async () => {
    const upstream = await startEndlessUpstream();
    const agents = [{ name: "late", url: `${upstream.url}/agent`, protocol: "simple-a2a", timeout_ms } as const];
    const { slack, write, answerTo } = await startWithAgents({
      env: {
        KAFKA_BROKERS: kafka.brokers.join(","),
        AGENTS_FILE: await writeAgentsFile(agents),
        AGENT_ORIGINS: upstream.url,
        WORKFLOWS_DIR: await writeWorkflows(waits),
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        MODEL: "openai/endless",
      },
      verificationEnv: {
        MESSAGES_PER_MINUTE: many,
      },
    });
    const [person] = slack.workspace.users.filter(({ id }) => id !== slack.workspace.app.bot_user_id);
    const user = person?.id ?? "";
    const took: { readonly work: string; readonly ms: number }[] = [];
    const names = Object.entries(works);

    async function stopOne(number: number, channel: string): Promise<void> {
      const word = `word-${number}`;
      const [work, ask] = names[number % names.length] ?? [];
      if (work === undefined || ask === undefined) throw new Error("nothing to ask");
      const message = write({ channel, text: `@Crosszone ${ask(word)}` });
      await upstream.asked(word);
      const pressedAt = performance.now();
      slack.control.stop({ channel, thread_ts: message.ts, user });
      took.push({ work, ms: (await upstream.closed(word)) - pressedAt });
      expect(JSON.stringify((await answerTo(message, 60_000)).blocks)).toContain("Stopped.");
    }

    const lane = async (which: number): Promise<void> => {
      const id = `C0STOP${which}`;
      slack.control.putChannel({ id, members: [user, slack.workspace.app.bot_user_id] });
      for (let number = which; number < rounds; number += lanes) await stopOne(number, id);
    };
    await Promise.all(Array.from({ length: lanes }, (_, which) => lane(which)));

    for (const work of Object.keys(works))
      tell(
        work,
        took.filter((one) => one.work === work),
      );
    const p99 = tell("all", took);
    expect(took).toHaveLength(rounds);
    expect(p99).toBeLessThan(1_000);
  });
});

/** Prints the times and returns their 99th percentile, milliseconds. */
function tell(what: string, took: readonly { readonly ms: number }[]): number {
  const times = took.map(({ ms }) => Math.round(ms)).toSorted((a, b) => a - b);
  const at = (part: number): number => times[Math.ceil(part * times.length) - 1] ?? Infinity;
  const [p50, p99] = [at(0.5), at(0.99)];
  process.stderr.write(`Stop, ${what}, ${times.length} times: p50 ${p50} ms, p99 ${p99} ms\n`);
  return p99;
}
