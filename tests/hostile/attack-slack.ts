import { setTimeout as delay } from "node:timers/promises";
import { startDevSlack } from "@crosszone/dev-slack";
import { onTestFinished } from "vitest";
import { Pool } from "undici";
import { startExecution } from "../harness/start-execution.ts";
import { recordEnvelopes } from "./real-envelopes.ts";
import { askedAt, isWhole } from "./slack-oracle.ts";
import { createSlackRequests, type SlackRequest } from "./slack-request.ts";
import { startWatched, type Memory } from "./watched-process.ts";
import { tune } from "@crosszone/testkit/tune";

export interface SlackAttack {
  /** The first few answers that were wrong, and how to repeat them. */
  readonly failures: readonly string[];
  /** Threads that the execution zone was asked about though nobody had asked there. */
  readonly invented: readonly string[];
  /** Threads that it was asked about, as somebody had asked there. */
  readonly answered: number;
  /** After each third of the requests. */
  readonly memory: readonly Memory[];
  readonly summary: string;
  readonly exitCode: number | null;
  /** What could not be stopped in time. */
  readonly unstopped: readonly unknown[];
}

/** Every status that a request may be answered with. */
const statuses = new Set([200, 400, 401, 403, 404, 405, 413, 415]);
/** Every body: none, the echo of a handshake, or that there is nothing. */
const bodies = /^(|\{("challenge":.*)?\}|\{"error":\{"message":"Not found\."\}\})$/s;
const unlimited = { burst: 1e9, per_minute: 1e9 };
const connections = 32;

/** Sends so many requests of a seed to the verification zone as its own process, between a local Slack and an execution zone. */
export async function attackSlack({ seed, count }: { seed: number; count: number }): Promise<SlackAttack> {
  const token = "a-link-token-of-thirty-two-letters";
  const run = async (): Promise<{ response_text: string }> => ({ response_text: "heard" });
  const execution = await startExecution({
    token,
    log: [],
    agents: [{ name: "ear", description: "", skills: [], run }],
  });
  const slack = await startDevSlack({
    upstream: execution.url,
    rateLimits: { tier_1: unlimited, tier_2: unlimited, tier_3: unlimited, tier_4: unlimited, post_message: unlimited },
  });
  onTestFinished(async () => {
    await execution.stop();
    await slack.close();
  });
  const envelopes = await recordEnvelopes(slack);
  const zone = await startWatched("verification", {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_TOKEN: "",
    SLACK_APP_ID: slack.workspace.app.app_id,
    SLACK_API_URL: slack.apiUrl,
    EXECUTION_URL: `${slack.tapUrl}/rpc`,
    EXECUTION_TOKEN: token,
    // An answer to a place that no request to Slack can name is not brought, however often it is tried.
    ...tune({
      DELIVERY_BUDGET_MS: 500,
      INBOX_ATTEMPTS: 2,
      EXECUTION_RETRY_BUDGET_MS: 500,
      THREAD_MESSAGES_PER_HOUR: 1_000_000,
      MAX_WAITING_PER_THREAD: 10_000,
    }),
    // Nobody is held back: each event that gets through is one that was taken for real.
    USER_MESSAGES_PER_MINUTE: "1000000",
    CHANNEL_MESSAGES_PER_MINUTE: "1000000",
    TEAM_MESSAGES_PER_MINUTE: "1000000",
  });
  await until(async () => (await fetch(`${zone.url}/readyz`)).ok);

  const called = new Set<string>();
  slack.control.subscribe((event) => {
    if (event.type !== "traffic" || event.entry.name !== "execute_task") return;
    const { channel, thread_ts } = (event.entry.request as { params: Record<string, string> }).params;
    called.add(`${channel} ${thread_ts}`);
  });
  const now = (): number => Math.floor(Date.now() / 1_000);
  const requestOf = createSlackRequests({ seed, secret: slack.signingSecret, envelopes, now });
  const pool = new Pool(zone.url, { connections });
  const asked = new Set<string>();
  const tally = new Map<number, number>();
  const failures: string[] = [];
  const memory: Memory[] = [];

  async function send(number: number): Promise<void> {
    const request = requestOf(number);
    const place = askedAt(request, slack);
    if (place !== undefined) asked.add(place);
    const { status, body } = await post(pool, request);
    tally.set(status, (tally.get(status) ?? 0) + 1);
    const wrong = wrongWith(request, { status, body }, place !== undefined && isWhole(request));
    if (wrong !== undefined && failures.length < 20)
      failures.push(`request ${number} (${request.name}): ${wrong}; ${status} ${body.slice(0, 200)}`);
  }

  let next = 0;
  for (const third of [1, 2, 3]) {
    const end = Math.round((count * third) / 3);
    const work = async (): Promise<void> => {
      while (next < end) await send(next++);
    };
    await Promise.all(Array.from({ length: connections }, work));
    await until(async () => isQuiet(await (await fetch(`${zone.url}/metrics`)).text()));
    memory.push(await zone.memory());
    zone.log.length = 0;
  }
  await pool.close();
  const exitCode = await zone.stop();
  const unstopped = zone.log.filter(({ event }) => event === "stop_step_failed");
  const invented = [...called].filter((place) => !asked.has(place));
  const answered = called.size - invented.length;
  const counts = [...tally]
    .toSorted(([, a], [, b]) => b - a)
    .map(([status, times]) => `${times.toLocaleString("en")} × ${status}`);
  const megabytes = memory.map(({ rss }) => Math.round(rss / 1_048_576)).join(" → ");
  const summary = `${count.toLocaleString("en")} requests of seed ${seed}: ${counts.join(", ")}; ${answered} of ${asked.size} threads answered; RSS ${megabytes} MB`;
  return { failures, invented, answered, memory, summary, exitCode, unstopped };
}

function wrongWith(
  { signed }: SlackRequest,
  { status, body }: { status: number; body: string },
  real: boolean,
): string | undefined {
  if (!statuses.has(status)) return "an unknown status";
  if (!bodies.test(body)) return "an unknown body";
  if (!signed && status === 200) return "taken without a signature of Slack's";
  return real && status !== 200 ? "a real event is refused" : undefined;
}

async function post(
  pool: Pool,
  { method, path, headers, body }: SlackRequest,
): Promise<{ status: number; body: string }> {
  const withBody = !["GET", "HEAD", "TRACE", "OPTIONS"].includes(method);
  try {
    const response = await pool.request({
      method: method,
      path,
      headers,
      ...(withBody && { body }),
      headersTimeout: 20_000,
    });
    return { status: response.statusCode, body: await response.body.text() };
  } catch (error) {
    return { status: 0, body: String(error) };
  }
}

const isQuiet = (metrics: string): boolean =>
  /^questions_in_work 0$/m.test(metrics) && /^inbox_questions\{state="waiting"\} 0$/m.test(metrics);

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(100);
}
