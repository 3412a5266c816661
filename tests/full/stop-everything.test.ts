// suite: load
// @module-tag judge
import type { IncomingMessage, ServerResponse } from "node:http";
import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import { workflowOf } from "../harness/runs-api.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { shareOf } from "../harness/random.ts";

const rounds = shareOf(200, 40);
/** Slack accepts a message a second in each channel. */
const lanes = 5;
/** Longer than any timeout, so that only Stop ends a call without an answer. */
const timeout_ms = 240_000;
const many = "100000";

const input_mapping = { text: "${workflow.input.text}" };
const waits = workflowOf("waits", [{ id: "wait", type: "agent", agent_name: "late", input_mapping, next_step: null }]);

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
        EXECUTION_FILE: writeAgentsFile(agents),
        AGENT_ORIGINS: upstream.url,
        WORKFLOWS_DIR: writeWorkflows(waits),
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        MODEL: "openai/endless",
      },
      verificationEnv: { MESSAGES_PER_MINUTE: many },
    });
    const [person] = slack.workspace.users.filter(({ id }) => id !== slack.workspace.app.bot_user_id);
    const user = person?.id ?? "";
    const took: number[] = [];
    const asks = Object.values(works);

    async function stopOne(number: number, channel: string): Promise<void> {
      const word = `word-${number}`;
      const ask = asks[number % asks.length] as (word: string) => string;
      const message = write({ channel, text: `@Crosszone ${ask(word)}` });
      await upstream.asked(word);
      const pressedAt = performance.now();
      slack.control.stop({ channel, thread_ts: message.ts, user });
      took.push((await upstream.closed(word)) - pressedAt);
      expect(JSON.stringify((await answerTo(message, 60_000)).blocks)).toContain("Stopped.");
    }

    const lane = async (which: number): Promise<void> => {
      const id = `C0STOP${which}`;
      slack.control.putChannel({ id, members: [user, slack.workspace.app.bot_user_id] });
      for (let number = which; number < rounds; number += lanes) await stopOne(number, id);
    };
    await Promise.all(Array.from({ length: lanes }, (_, which) => lane(which)));

    expect(took).toHaveLength(rounds);
    const times = took.toSorted((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((part) => times[Math.ceil(part * rounds) - 1] ?? Infinity) as [number, number];
    expect(p50).toBeLessThan(1_000);
    // On a busy machine all are slower, and none is much slower than the others.
    expect(p99).toBeLessThan(Math.max(1_000, 20 * p50));
  });
});

/** Interval of the written text, milliseconds. */
const everyMs = 40;

/**
 * Starts the server on a free port of loopback. A word is `word-` and a number. Asked to `call late`, the model calls a tool of that name; otherwise
 * it streams text for ever. The agent never answers. Ends with the test.
 */
async function startEndlessUpstream() {
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const ends = new Map<string, PromiseWithResolvers<number>>();
  const arrival = (word: string) => arrivals.getOrInsertComputed(word, () => Promise.withResolvers<void>());
  const end = (word: string) => ends.getOrInsertComputed(word, () => Promise.withResolvers<number>());

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const word = body.match(/word-\d+/g)?.at(-1);
    if (word === undefined) return void response.writeHead(404).end();
    const isModel = request.url?.startsWith("/v1/") === true;
    if (isModel && body.includes(`call late ${word}`)) return callLate(response, word);
    response.once("close", () => end(word).resolve(performance.now()));
    if (isModel) writeForEver(response);
    arrival(word).resolve();
  }
  const url = await serve(answer);
  return {
    url,
    /** Resolves when an endless request with the word has arrived. */
    asked: (word: string) => arrival(word).promise,
    /** Resolves with the time when the client closed such a request, on the clock of `performance`. */
    closed: (word: string) => end(word).promise,
  };
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

function callLate(response: ServerResponse, word: string): void {
  const call = { index: 0, id: "call", type: "function", function: { name: "late", arguments: `{"text":"${word}"}` } };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${chunk({ role: "assistant", tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`);
}

function writeForEver(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const writing = setInterval(() => response.write(chunk({ content: "and on " })), everyMs);
  response.once("close", () => clearInterval(writing));
}
