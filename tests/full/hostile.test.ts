// suite: load
// @module-tag judge
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { type DevSlack, startDevSlack } from "@crosszone/dev-slack";
import { openTestZone } from "@crosszone/execution/testing";
import { serve } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import { Client, type Dispatcher, Pool } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { wideLimits } from "../harness/start-crosszone.ts";
import { createHostileBodies } from "../hostile/hostile-bodies.ts";
import { type Asked, expectedAnswer, noteAsked, oracleLimits, wrongWith } from "../hostile/oracle.ts";
import { createSlackRequests, type SlackRequest } from "../hostile/slack-request.ts";
import { type Memory, startWatched, type WatchedProcess } from "../hostile/zones.ts";
import { shareOf } from "../harness/random.ts";

/** A new seed for each run by default. Failures name it. */
const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1_000_000);

test.each(["plain", "agentcore"] as const)(
  "Z2, Z3, H1: on the host %s, up to 100,000 hostile bodies get the answer that an independent oracle expects, and memory stays flat",
  async (profile) => {
    const { failures, exitCode, memory } = await attackExecution(profile, shareOf(100_000));
    expect({ seed, failures }).toEqual({ seed, failures: [] });
    expect(exitCode).toBe(0);
    const [first, , last] = memory;
    expect(last?.heapUsed).toBeLessThan((first?.heapUsed ?? 0) * 1.1);
    expect(last?.rss).toBeLessThan((first?.rss ?? 0) * 1.25);
  },
  900_000,
);

test("S1, S2, S3, H1: of up to 20,000 requests to the events URL, only real events reach execution, and memory use stays flat", async () => {
  const { failures, invented, answered, exitCode, unstopped, memory } = await attackSlack(shareOf(20_000));
  expect({ seed, failures, invented }).toEqual({ seed, failures: [], invented: [] });
  expect(answered).toBeGreaterThan(0);
  expect({ exitCode, unstopped }).toEqual({ exitCode: 0, unstopped: [] });
  const [first, , last] = memory;
  expect(last?.heapUsed).toBeLessThan((first?.heapUsed ?? 0) * 1.5);
  expect(last?.rss).toBeLessThan((first?.rss ?? 0) * 1.25);
}, 900_000);

interface Attack {
  /** Sends requests one after another; each tells what is wrong with its answer. */
  readonly workers: readonly ((number: number) => Promise<string | undefined>)[];
  /** Waits until the zone has finished its work. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<unknown>;
}

/** Sends requests 0 to `count`, measures the zone's memory after each third, and stops the zone. */
async function attack(zone: WatchedProcess, count: number, { workers, rest, close }: Attack) {
  /** The first wrong answers, and the requests that got them. */
  const failures: string[] = [];
  const memory: Memory[] = [];
  let next = 0;
  for (const third of [1, 2, 3]) {
    const end = Math.round((count * third) / 3);
    const work = async (send: Attack["workers"][number]): Promise<void> => {
      while (next < end) {
        const wrong = await send(next++);
        if (wrong !== undefined && failures.length < 20) failures.push(wrong);
      }
    };
    await Promise.all(workers.map(work));
    await rest();
    memory.push(await zone.memory());
    zone.log.length = 0;
  }
  await close();
  return { failures, memory, exitCode: await zone.stop() };
}

/** Returns the status, the type and the body of the answer; the status is 0 and the body the error if there is none. */
async function post(dispatcher: Dispatcher, request: Pick<SlackRequest, "method" | "path" | "headers" | "body">) {
  const { method, path, headers, body } = request;
  const sent = ["GET", "HEAD", "TRACE", "OPTIONS"].includes(method) ? undefined : body;
  const all = { method, path, headers, body: sent, idempotent: true, headersTimeout: 20_000 };
  try {
    const response = await dispatcher.request(all);
    const contentType = response.headers["content-type"]?.toString();
    const retryAfter = response.headers["retry-after"];
    return { status: response.statusCode, contentType, retryAfter, body: await response.body.text() };
  } catch (error) {
    return { status: 0, contentType: undefined, retryAfter: undefined, body: String(error) };
  }
}

/** Path of the JSON-RPC route on each kind of host. */
const rpcPaths = { plain: "/rpc", agentcore: "/invocations" } as const;

/** Short retention, so that the last third of a run does not hold the tasks of the first. */
const retentionMs = 500;

/** Sends `count` bodies to a process of execution over kept connections, several at once on each. */
async function attackExecution(profile: keyof typeof rpcPaths, count: number) {
  const zone = await startWatched("execution", {
    HOST_PROFILE: profile,
    EXECUTION_HOST: "127.0.0.1",
    ...tune({ SYNC_WINDOW_MS: 50, MAX_WAIT_MS: 50 }),
    MAX_RUNNING_TASKS: "100000",
    MAX_REQUESTS_PER_MINUTE: "0",
    // An agent's thread needs a second for a megabyte of empty objects.
    TASK_DEADLINE: "5s",
    TASK_RETENTION: `${retentionMs}ms`,
  });
  const pipelining = 16;
  const clients = Array.from({ length: 8 }, () => new Client(zone.url, { pipelining }));
  // A refusal closes its connection with all other open requests on it.
  const alone = new Client(zone.url, { pipelining: 1 });
  const bodyOf = createHostileBodies(seed);
  const asked: Asked = new Map();
  const path = rpcPaths[profile];
  const headers = { "content-type": "application/json" };
  const sendOver = (client: Client) => async (number: number) => {
    const { name, bytes } = bodyOf(number);
    const expected = expectedAnswer(bytes, oracleLimits);
    noteAsked(expected, asked);
    const to = expected.type === "refused" ? alone : client;
    const answer = await post(to, { method: "POST", path, headers, body: Buffer.from(bytes) });
    const wrong = wrongWith(answer, expected, asked);
    return wrong && `body ${number} (${name}) at ${path}: ${wrong}; ${expected.type}; ${answer.body.slice(0, 300)}`;
  };
  return attack(zone, count, {
    workers: clients.flatMap((client) => Array.from({ length: pipelining }, () => sendOver(client))),
    rest: () => delay(2 * retentionMs),
    close: () => Promise.all([...clients, alone].map((client) => client.close())),
  });
}

/** Every status that an answer may have. */
const statuses = new Set([200, 400, 401, 403, 404, 405, 413, 415]);
/** Every body that an answer may have: none, the echo of a handshake, or "not found". */
const answers = /^(|\{("challenge":.*)?\}|\{"error":\{"message":"Not found\."\}\})$/s;

/** Sends `count` requests to a process of verification, between a local Slack and an execution zone. */
async function attackSlack(count: number) {
  const { slack, zone, called, envelopes } = await startSlackTarget();
  const requestOf = createSlackRequests(seed, slack.signingSecret, envelopes);
  const connections = 32;
  const pool = new Pool(zone.url, { connections });
  const asked = new Set<string>();

  /** Events that a busy zone did not store in time: Slack sends them again. */
  let postponed = 0;

  async function send(number: number) {
    const request = requestOf(number);
    const place = askedAt(request, slack);
    if (place !== undefined) asked.add(place);
    const { status, body, retryAfter } = await post(pool, request);
    const wrong = flaw();
    return wrong && `request ${number} (${request.name}): ${wrong}; ${status} ${body.slice(0, 200)}`;

    function flaw(): string | undefined {
      if (status === 503 && retryAfter !== undefined && body === "" && request.signed) {
        postponed += 1;
        return postponed > count / 20 ? "too many events are postponed" : undefined;
      }
      if (!statuses.has(status)) return "an unknown status";
      if (!answers.test(body)) return "an unknown body";
      if (!request.signed && status === 200) return "accepted without a signature of Slack's";
      return place !== undefined && isWhole(request) && status !== 200 ? "a real event is refused" : undefined;
    }
  }

  const found = await attack(zone, count, {
    workers: Array.from({ length: connections }, () => send),
    rest: async () => {
      while (!(await isQuiet(zone))) await delay(100);
    },
    close: () => pool.close(),
  });
  const unstopped = zone.log.filter(({ event }) => event === "stop_step_failed");
  /** Threads that execution was asked about without a question there. */
  const invented = [...called].filter((place) => !asked.has(place));
  return { ...found, invented, answered: called.size - invented.length, unstopped };
}

const unlimited = { burst: 1e9, per_minute: 1e9 };
const token = "a-link-token-of-thirty-two-letters";

/** Starts verification between a local Slack and an execution zone. Ends with the test. */
async function startSlackTarget() {
  const run = async (): Promise<{ response_text: string }> => ({ response_text: "heard" });
  const agents = [{ name: "ear", description: "", skills: [], run }];
  const execution = await openTestZone(agents, { ...wideLimits, tokens: [token] });
  const slack = await startDevSlack({
    upstream: execution.url,
    rateLimits: { tier_1: unlimited, tier_2: unlimited, tier_3: unlimited, tier_4: unlimited, post_message: unlimited },
  });
  onTestFinished(async () => {
    await execution.stop();
    await slack.close();
  });
  /** Bodies of events that the local Slack really sends. */
  const envelopes = await recordEnvelopes(slack);
  const zone = await startZone(slack);
  /** Channels and threads that execution was asked about so far. */
  const called = new Set<string>();
  slack.control.subscribe((event) => {
    if (event.type !== "traffic" || event.entry.name !== "execute_task") return;
    const { channel, thread_ts } = (event.entry.request as { params: Record<string, string> }).params;
    called.add(`${channel} ${thread_ts}`);
  });
  return { slack, zone, envelopes, called };
}

async function startZone(slack: DevSlack): Promise<WatchedProcess> {
  const zone = await startWatched("verification", {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_TOKEN: "",
    SLACK_APP_ID: slack.workspace.app.app_id,
    SLACK_API_URL: slack.apiUrl,
    EXECUTION_URL: `${slack.tapUrl}/rpc`,
    EXECUTION_TOKEN: token,
    // No retry delivers an answer to a place that does not exist.
    ...tune({
      DELIVERY_BUDGET_MS: 500,
      INBOX_ATTEMPTS: 2,
      EXECUTION_RETRY_BUDGET_MS: 500,
      // Without limits, each event that passes was accepted as real.
      THREAD_MESSAGES_PER_HOUR: 1_000_000,
      MAX_WAITING_PER_THREAD: 10_000,
    }),
    MESSAGES_PER_MINUTE: "1000000",
  });
  while (!(await fetch(`${zone.url}/readyz`)).ok) await delay(100);
  return zone;
}

async function isQuiet({ url }: WatchedProcess): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /^questions_in_work 0$/m.test(metrics) && /^inbox_questions\{state="waiting"\} 0$/m.test(metrics);
}

/** Lets people use the local Slack, and returns the bodies of the events that it sends. The app does not get them. */
async function recordEnvelopes(slack: DevSlack): Promise<Record<string, unknown>[]> {
  const bodies: string[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await text(request));
    response.end();
  };
  slack.setEventsUrl(await serve(keep));
  act(slack);
  await slack.control.idle();
  slack.setEventsUrl(undefined);
  return bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
}

function act({ control }: DevSlack): void {
  const file = { name: "table.csv", mimetype: "text/csv", content: "a,b\n1,2\n" };
  const direct = control.postMessage({ channel: "dm", text: "what is 2+2?" });
  control.postMessage({ channel: "dm", text: "and doubled?", thread_ts: direct.ts });
  control.postMessage({ channel: "dm", text: "", files: [file] });
  control.postMessage({ channel: "dm", text: "stop" });
  const mention = control.postMessage({
    channel: "general",
    text: "@Crosszone what is 3*3? <https://example.com|a link> & more",
  });
  control.postMessage({ channel: "general", text: "@Crosszone and this?", thread_ts: mention.ts, files: [file] });
  control.postMessage({ channel: "general", text: "nobody is asked" });
  control.editMessage({
    channel: mention.channel,
    ts: mention.ts,
    user: mention.user,
    text: "@Crosszone what is 4*4?",
  });
  control.stop({ channel: direct.channel, thread_ts: direct.ts, user: direct.user });
  control.deleteMessage({ channel: direct.channel, ts: direct.ts, user: direct.user });
}

const decoder = new TextDecoder("utf-8", { fatal: true });

type Members = Record<string, unknown>;

const own = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Members)[name] : undefined;
const textOf = (value: unknown, name: string): string | undefined => {
  const member = own(value, name);
  return typeof member === "string" ? member : undefined;
};
/** Returns the teams in these members. An unreadable one is foreign; null names none. */
const teamsIn = (value: unknown, ...names: string[]): string[] =>
  names.flatMap((name) => ((own(value, name) ?? undefined) === undefined ? [] : (textOf(value, name) ?? "")));

/** Returns whether `authorizations` is as Slack sends it. Bolt reads it always, this app only if it is valid. */
function isWhole({ body }: SlackRequest): boolean {
  const authorizations = own(JSON.parse(body.toString()), "authorizations");
  return Array.isArray(authorizations) && authorizations.every((one) => textOf(one, "team_id") !== undefined);
}

/** Returns the channel and thread of a question, if the request is a signed event that this app must answer. */
function askedAt({ method, path, headers, body, signed }: SlackRequest, { workspace }: DevSlack): string | undefined {
  if (!signed || method !== "POST" || path !== "/slack/events" || headers["content-type"] !== "application/json")
    return undefined;
  let envelope: unknown;
  try {
    envelope = JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
  const { app, team } = workspace;
  const event = own(envelope, "event");
  const [channel, user, ts, type] = [
    textOf(event, "channel"),
    textOf(event, "user"),
    textOf(event, "ts"),
    textOf(event, "type"),
  ];
  const subtype = textOf(event, "subtype");
  const teams = teamsIn(envelope, "team_id", "context_team_id");
  const homes = teamsIn(event, "user_team", "team");
  const authorizations = own(envelope, "authorizations");
  const isInstalled = Array.isArray(authorizations) && authorizations.some((one) => textOf(one, "team_id") === team.id);
  const real =
    own(envelope, "type") === "event_callback" &&
    own(envelope, "api_app_id") === app.app_id &&
    (isInstalled || (teams.length > 0 && teams.every((id) => id === team.id))) &&
    homes.every((id) => id === team.id) &&
    (type === "message" || type === "app_mention") &&
    channel !== undefined &&
    channel !== "" &&
    user !== undefined &&
    user !== app.bot_user_id &&
    ts !== undefined &&
    textOf(event, "bot_id") === undefined &&
    own(event, "hidden") !== true &&
    (type === "app_mention" ||
      subtype === undefined ||
      ["file_share", "me_message", "thread_broadcast"].includes(subtype));
  return real ? `${channel} ${textOf(event, "thread_ts") ?? ts}` : undefined;
}
