import { createLocalSlack, type EventEnvelope, type LocalSlack, type Message } from "@crosszone/dev-slack";
import { contentOf, readCall } from "./slack-bodies.ts";
import { agenda } from "../time/virtual-time.ts";
import { currentLife, never, runIn, type Life } from "../time/life.ts";
import type { Troubles } from "../faults/troubles.ts";
import { createRandom } from "../../harness/random.ts";

export const slackUrl = "http://127.0.0.1:1";

const secrets = {
  signingSecret: "signing-secret-of-the-simulation",
  botToken: "xoxb-0-0-0123456789abcdef0123456789abcdef",
  appToken: "xapp-1-A0CROSSZONE-0-0123456789abcdef0123456789abcdef",
};

/** Slack, and the network between it and verification. */
export interface SimulatedSlack extends LocalSlack {
  /** In place of `fetch` for Slack's own client. */
  readonly fetch: typeof globalThis.fetch;
  /** The variables that join verification to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Delivers the events of the message once more. */
  readonly bringAgain: (ts: string) => void;
  /** Whether an event of this message was acknowledged. */
  readonly isAccepted: (ts: string) => boolean;
  /** When each event of this message was acknowledged, Unix milliseconds; undefined until then. */
  readonly acceptedAt: (ts: string) => number | undefined;
  /** How many look-ups of people and places failed. */
  readonly failedLookUps: () => number;
  /** How often the next messages' events come at once, and how late. */
  readonly setDelivery: (delivery: {
    readonly copies: number;
    readonly delayMs: number;
    readonly dropFirst: boolean;
  }) => void;
  /** Deliveries that are still to come. */
  readonly underWay: () => number;
}

export interface SlackOptions {
  readonly seed: number;
  readonly troubles: Troubles;
  readonly note: (what: string) => void;
  /** The app has posted or changed a message. */
  readonly onChanged: (message: Message) => void;
  /** Sends a signed request to a process of verification; resolves with the status, 0 without a response. */
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
}

/** Slack resends an event that was not acknowledged after so long, and so often. */
const resendMs = 1_500;
const mostSends = 240;

export function simulateSlack({ seed, troubles, note, onChanged, send }: SlackOptions): SimulatedSlack {
  const random = createRandom(seed, 20);
  const envelopes = new Map<string, Map<string, EventEnvelope>>();
  const accepted = new Map<string, Map<string, number>>();
  let delivery = { copies: 1, delayMs: 0, dropFirst: false };
  let underWay = 0;
  let failedLookUps = 0;
  const slack = createLocalSlack({
    secrets,
    url: slackUrl,
    deliver: (envelope) => {
      const { ts } = envelope.event as { ts?: string };
      if (ts !== undefined) envelopes.getOrInsertComputed(ts, () => new Map()).set(envelope.event_id, envelope);
      const { copies, delayMs, dropFirst } = delivery;
      for (let copy = 0; copy < copies; copy += 1)
        bring(envelope, { afterMs: delayMs + random.int(40), isDropped: dropFirst });
    },
    rateLimits: { tier_3: { burst: 1_000, per_minute: 10_000 }, tier_4: { burst: 1_000, per_minute: 10_000 } },
  });

  function bring(
    envelope: EventEnvelope,
    { afterMs, isDropped = false }: { afterMs: number; isDropped?: boolean },
  ): void {
    underWay += 1;
    const body = JSON.stringify(envelope);
    const attempt = async (number: number): Promise<void> => {
      const retried = number === 0 ? {} : { "x-slack-retry-num": String(number), "x-slack-retry-reason": "http_error" };
      const status = number === 0 && isDropped ? 0 : await send({ ...slack.sign(body), ...retried }, body);
      note(`event ${envelope.event.type} ${String(envelope.event["ts"])} attempt ${number}: ${status}`);
      const ofMessage = accepted.getOrInsertComputed(String(envelope.event["ts"]), () => new Map());
      if (status === 200) ofMessage.getOrInsert(envelope.event_id, agenda.now());
      if ((status >= 200 && status < 500 && status !== 0) || number >= mostSends) underWay -= 1;
      else agenda.plan(resendMs, () => void attempt(number + 1));
    };
    runIn(undefined, () => agenda.plan(afterMs, () => void attempt(0)));
  }

  const find = (channel: string | undefined, ts: string): Message | undefined =>
    slack.messages({ channel: channel ?? "" }).find((message) => message.ts === ts);

  async function answer(url: URL, init: RequestInit): Promise<Response> {
    const { method: httpMethod, headers, body } = await readCall(init);
    const [, kind = "", ...rest] = url.pathname.split("/");
    if (kind === "upload")
      return new Response("OK", { status: slack.upload(rest.at(-1) ?? "", await contentOf(body, headers)) });
    const answered = await slack.call(rest.join("/"), {
      httpMethod,
      contentType: headers.get("content-type") ?? "",
      authorization: headers.get("authorization") ?? "",
      query: url.searchParams,
      body,
    });
    const { ok, channel, ts } = answered.body as {
      readonly ok: boolean;
      readonly channel?: string;
      readonly ts?: string;
    };
    const message = ok && ts !== undefined && kind === "api" && rest[0]?.startsWith("chat.") && find(channel, ts);
    if (message) onChanged(message);
    return Response.json(answered.body, { status: answered.status, headers: answered.headers });
  }

  /** One call: it takes effect on arrival, and its response comes later, or never. */
  async function carry(url: URL, init: RequestInit, life: Life): Promise<Response> {
    const trouble = troubles.next("slack", life);
    const chance = troubles.random("slack");
    const there = 1 + chance.int(20);
    const back = 1 + chance.int(20) + (trouble === "busy" && chance.chance(0.3) ? 500 + chance.int(4_000) : 0);
    if (trouble === "die_before") {
      life.die();
      return never;
    }
    await wait(there);
    const method = url.pathname.replace(/^\/(api|upload)\//, "").replace(/^v1\/.*/, "upload");
    note(`${life.name} calls ${method}${trouble === undefined ? "" : `: ${trouble}`}`);
    if (method.endsWith(".info") && trouble !== undefined) failedLookUps += 1;
    if (trouble === "busy" && back < 500) return limited(chance.chance(0.5));
    if (trouble === "lost_before") throw new TypeError("fetch failed");
    const response = await runIn(undefined, () => answer(url, init));
    if (trouble === "die_after") {
      life.die();
      return never;
    }
    await wait(back);
    if (trouble !== "lost_after") return response;
    if (chance.chance(0.5)) throw new TypeError("fetch failed");
    return Response.json({ ok: false, error: "internal_error" }, { status: 500 });
  }

  return {
    ...slack,
    env: {
      SLACK_BOT_TOKEN: secrets.botToken,
      SLACK_SIGNING_SECRET: secrets.signingSecret,
      SLACK_APP_ID: slack.workspace.app.app_id,
      SLACK_API_URL: `${slackUrl}/api/`,
    },
    fetch: (input, init = {}) => {
      const life = currentLife();
      if (life === undefined) throw new TypeError("only processes of the simulation call Slack");
      if (!life.isAlive) return never;
      return new Promise<Response>((resolve, reject) => {
        const { signal } = init;
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        carry(new URL(input instanceof Request ? input.url : input), init, life).then(resolve, reject);
      });
    },
    bringAgain: (ts) => {
      for (const envelope of envelopes.get(ts)?.values() ?? []) bring(envelope, { afterMs: 1 });
    },
    isAccepted: (ts) => (accepted.get(ts)?.size ?? 0) > 0,
    acceptedAt: (ts) => {
      const times = [...(accepted.get(ts)?.values() ?? [])];
      return times.length === envelopes.get(ts)?.size ? Math.max(...times) : undefined;
    },
    failedLookUps: () => failedLookUps,
    setDelivery: (next) => {
      delivery = next;
    },
    underWay: () => underWay,
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => void agenda.plan(ms, resolve));

const limited = (isLimited: boolean): Response =>
  isLimited
    ? Response.json({ ok: false, error: "ratelimited" }, { status: 429, headers: { "retry-after": "1" } })
    : Response.json({ ok: false, error: "internal_error" }, { status: 503 });
