import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import type { DevSlack } from "@crosszone/dev-slack";
import { createSlackRequests, type SlackRequest } from "./slack-request.ts";
import { startSlackTarget, type SlackTarget } from "./slack-target.ts";
import { inWords, type Memory } from "./zones.ts";

/** Every status that an answer may have. */
const statuses = new Set([200, 400, 401, 403, 404, 405, 413, 415]);
/** Every body that an answer may have: none, the echo of a handshake, or "not found". */
const bodies = /^(|\{("challenge":.*)?\}|\{"error":\{"message":"Not found\."\}\})$/s;
const connections = 32;

/** Sends `count` requests of a seed to a process of verification, between a local Slack and an execution zone. */
export async function attackSlack({ seed, count }: { seed: number; count: number }) {
  const target = await startSlackTarget();
  const { slack, zone, called } = target;
  const now = (): number => Math.floor(Date.now() / 1_000);
  const requestOf = createSlackRequests({ seed, secret: slack.signingSecret, envelopes: target.envelopes, now });
  const pool = new Pool(zone.url, { connections });
  const asked = new Set<string>();
  const tally = new Map<number, number>();
  /** The first wrong answers, and the requests that got them. */
  const failures: string[] = [];

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

  const memory = await sendInThirds(count, send, target);
  await pool.close();
  const exitCode = await zone.stop();
  const unstopped = zone.log.filter(({ event }) => event === "stop_step_failed");
  /** Threads that execution was asked about without a question there. */
  const invented = [...called].filter((place) => !asked.has(place));
  const answered = called.size - invented.length;
  const summary = `${count.toLocaleString("en")} requests of seed ${seed}: ${inWords(tally, memory)}; ${answered} of ${asked.size} threads answered`;
  return { failures, invented, answered, memory, summary, exitCode, unstopped };
}

/** Sends all requests, and returns the memory of the zone after each third, when it has finished its work. */
async function sendInThirds(
  count: number,
  send: (number: number) => Promise<void>,
  { zone, isQuiet }: SlackTarget,
): Promise<Memory[]> {
  const memory: Memory[] = [];
  let next = 0;
  for (const third of [1, 2, 3]) {
    const end = Math.round((count * third) / 3);
    const work = async (): Promise<void> => {
      while (next < end) await send(next++);
    };
    await Promise.all(Array.from({ length: connections }, work));
    while (!(await isQuiet())) await delay(100);
    memory.push(await zone.memory());
    zone.log.length = 0;
  }
  return memory;
}

function wrongWith(
  { signed }: SlackRequest,
  { status, body }: { status: number; body: string },
  real: boolean,
): string | undefined {
  if (!statuses.has(status)) return "an unknown status";
  if (!bodies.test(body)) return "an unknown body";
  if (!signed && status === 200) return "accepted without a signature of Slack's";
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

const decoder = new TextDecoder("utf-8", { fatal: true });

type Members = Record<string, unknown>;

const own = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Members)[name] : undefined;
const text = (value: unknown, name: string): string | undefined => {
  const member = own(value, name);
  return typeof member === "string" ? member : undefined;
};
/** Returns the teams in these members. An unreadable one is foreign; null names none. */
const teamsIn = (value: unknown, ...names: string[]): string[] =>
  names.flatMap((name) => ((own(value, name) ?? undefined) === undefined ? [] : (text(value, name) ?? "")));

/** Returns whether `authorizations` is as Slack sends it. Bolt reads it always, this app only if it is valid. */
function isWhole({ body }: SlackRequest): boolean {
  const authorizations = own(JSON.parse(body.toString()), "authorizations");
  return Array.isArray(authorizations) && authorizations.every((one) => text(one, "team_id") !== undefined);
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
    text(event, "channel"),
    text(event, "user"),
    text(event, "ts"),
    text(event, "type"),
  ];
  const subtype = text(event, "subtype");
  const teams = teamsIn(envelope, "team_id", "context_team_id");
  const homes = teamsIn(event, "user_team", "team");
  const real =
    own(envelope, "type") === "event_callback" &&
    own(envelope, "api_app_id") === app.app_id &&
    teams.length > 0 &&
    [...teams, ...homes].every((id) => id === team.id) &&
    (type === "message" || type === "app_mention") &&
    channel !== undefined &&
    channel !== "" &&
    user !== undefined &&
    user !== app.bot_user_id &&
    ts !== undefined &&
    text(event, "bot_id") === undefined &&
    own(event, "hidden") !== true &&
    (subtype === undefined || ["file_share", "thread_broadcast"].includes(subtype));
  return real ? `${channel} ${text(event, "thread_ts") ?? ts}` : undefined;
}
