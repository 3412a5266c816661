import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { close, createHttpServer, createLogger, createMetrics, listen } from "@crosszone/service-kit";
import { systemClock, withTimeout } from "@crosszone/service-kit/timing";
import { signWebhook } from "@crosszone/service-kit/webhooks";
import { verificationEvents } from "@crosszone/telemetry";
import { slackPath } from "../edge/slack-connection.ts";
import type { VerificationConfig } from "./config.ts";
import { VerificationApp } from "./app.ts";
import { openVerificationZone } from "./open-zone.ts";

const standInTeam = "T1";
const standInBot = "UBOT";

/** A server that answers as Slack's Web API and as execution do. */
type StandIn = Awaited<ReturnType<typeof startStandIn>>;

const answerText = "The answer is **42**:\n\n- six times [seven](https://example.com)\n- `6 * 7`";

/** Has what any method returns: readers take what is theirs. */
const slackAnswer = {
  ok: true,
  team_id: standInTeam,
  user_id: standInBot,
  bot_id: "B1",
  user: { team_id: standInTeam, deleted: false, is_bot: false },
  channel: { is_archived: false },
  messages: [
    { ts: "1.1", text: "How are you?", user: "U1" },
    { ts: "1.2", text: "Well.", user: standInBot, bot_id: "B1" },
  ],
};

/** An answer begins with a message, or as a stream if it takes a while. */
const begins = /^\/api\/chat\.(postMessage|startStream)$/;

/** Starts the server on a free port of loopback. */
async function startStandIn() {
  let answers = 0;
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    response.setHeader("content-type", "application/json");
    if (incoming.url === "/rpc") return void response.end(JSON.stringify(executionAnswer(body)));
    if (begins.test(incoming.url ?? "")) answers += 1;
    response.end(JSON.stringify({ ...slackAnswer, ts: `3.${answers}` }));
  };
  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()));
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return {
    url,
    /** How many answers have begun. */
    answers: (): number => answers,
    stop: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function executionAnswer(body: string): object {
  const { id } = JSON.parse(body) as { readonly id: unknown };
  return {
    jsonrpc: "2.0",
    id,
    result: { status: "success", response_text: answerText, input_requests: [], last_seq: 0 },
  };
}

const loopback = { host: "127.0.0.1", port: 0 } as const;
/** Questions at once, as in a burst. */
const burst = 10;
const lookEveryMs = 2;

/**
 * Answers made-up questions, so that the first real ones find compiled code. A second instance of the zone answers them, on a database in
 * memory. One loopback server replaces Slack and the execution zone. No request leaves this process, and no data stays. It ends with the
 * limit that comes first.
 */
export async function warmUp(
  config: VerificationConfig,
  { mostMs, mostQuestions }: { readonly mostMs: number; readonly mostQuestions: number },
) {
  const startedAt = performance.now();
  const signingSecret = randomUUID();
  await using closing = new AsyncDisposableStack();
  const standIn = await startStandIn();
  closing.defer(standIn.stop);
  const url = await startTwin(twinConfig(config, { url: standIn.url, signingSecret }), closing);
  const ask = async (signal: AbortSignal): Promise<void> => {
    for (let n = 0; n < mostQuestions; n += burst) await askBurst({ url, signingSecret, standIn, signal }, n);
  };
  await withTimeout(mostMs, ask).catch(() => undefined);
  return { questions: standIn.answers(), duration_ms: performance.now() - startedAt };
}

/** The configuration of the twin: as the zone's own, but all that it reaches is in this process. */
function twinConfig(
  config: VerificationConfig,
  { url, signingSecret }: { readonly url: string; readonly signingSecret: string },
): VerificationConfig {
  return {
    ...config,
    DATABASE_URL: "sqlite::memory:",
    EXECUTION_CA_FILE: undefined,
    EXECUTION_CREDENTIALS: "bearer",
    EXECUTION_HEADERS: undefined,
    EXECUTION_TOKEN: [randomUUID()],
    EXECUTION_URL: `${url}/rpc`,
    MESSAGES_PER_MINUTE: 1_000_000,
    VERIFICATION_FILE: undefined,
    SLACK_API_URL: `${url}/api/`,
    SLACK_APP_ID: "A1",
    SLACK_APP_TOKEN: undefined,
    SLACK_BOT_TOKEN: `xoxb-${randomUUID()}`,
    SLACK_CLIENT_ID: undefined,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_TOKEN_FORWARDING: "handle",
  };
}

/** Starts the zone's twin, and returns its URL. */
async function startTwin(config: VerificationConfig, closing: AsyncDisposableStack): Promise<string> {
  const logger = createLogger({
    zone: "verification",
    level: config.LOG_LEVEL,
    events: verificationEvents,
    destination: { write: () => undefined },
  });
  const metrics = createMetrics(undefined, { ofProcess: false });
  const zone = await openVerificationZone({ values: config }, { logger, metrics });
  closing.defer(zone.close);
  const app = new VerificationApp(zone.deps);
  closing.defer(() => app.stop(0));
  const server = createHttpServer(app.listener, { onBadRequest: app.badRequest });
  const { url } = await listen(server, loopback);
  closing.defer(async () => void (await close(server, { deadlineMs: 0 })));
  await app.start();
  return url;
}

interface Asking {
  readonly url: string;
  readonly signingSecret: string;
  readonly standIn: StandIn;
  readonly signal: AbortSignal;
}

/** Asks some questions at once, each with the events that Slack sends about it, and waits for their answers. */
async function askBurst(asking: Asking, first: number): Promise<void> {
  const { standIn, signal } = asking;
  await Promise.all(
    Array.from({ length: burst }, (_, at) => first + at).flatMap((n) =>
      eventsOf(n).map((event) => send(asking, event)),
    ),
  );
  while (standIn.answers() < first + burst) await systemClock.sleep(lookEveryMs, signal);
}

/** A mention, its twin, and the event about its answer. Every second one is a reply in a thread. */
function eventsOf(n: number): object[] {
  const ts = `1000.${String(n).padStart(6, "0")}`;
  const thread_ts = n % 2 === 0 ? undefined : `900.${String(n).padStart(6, "0")}`;
  const message = {
    channel: `C${n % 5}`,
    channel_type: "channel",
    user: `U${n % 20}`,
    text: `<@${standInBot}> what is ${n} * 7?`,
    ts,
    thread_ts,
  };
  const own = { ...message, type: "message", user: standInBot, bot_id: "B1", text: "7", thread_ts: ts, ts: `2${ts}` };
  return [{ ...message, type: "app_mention" }, { ...message, type: "message" }, own];
}

/** Sends an event as Slack does, signed and on a connection of its own. */
async function send({ url, signingSecret, signal }: Asking, event: object): Promise<void> {
  const body = JSON.stringify({
    type: "event_callback",
    event_id: `Ev${randomUUID()}`,
    api_app_id: "A1",
    team_id: standInTeam,
    event_time: Math.floor(Date.now() / 1_000),
    authorizations: [{ team_id: standInTeam }],
    event,
  });
  const signature = signWebhook({ kind: "slack" }, signingSecret, { body: Buffer.from(body), id: "", now: Date.now() });
  const headers = { "content-type": "application/json", ...signature };
  const sent = request(`${url}${slackPath}`, { method: "POST", headers, agent: false, signal }).end(body);
  const [response] = await once(sent, "response");
  response.resume();
}
