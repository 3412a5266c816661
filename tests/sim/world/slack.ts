import { createLocalSlack, type EventEnvelope, type LocalSlack, type Message } from "@crosszone/dev-slack";
import { createRandom } from "../../harness/random.ts";
import { recordDeliveries } from "../../resist/deliveries.ts";
import { atOnce } from "../../resist/plan/messages.ts";
import type { Troubles } from "../faults/troubles.ts";
import { runIn, agenda, currentLife, never, type Life, wait } from "../time/virtual-time.ts";

interface DeliveryOptions {
  readonly seed: number;
  readonly note: (what: string) => void;
  /** Sends a signed request to a process of verification. Resolves with the status, or with 0 without a response. */
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
}

/** Slack resends an event that was not acknowledged after this time, and this often. */
const resendMs = 1_500;
const mostSends = 240;

function createDeliveries({ sign }: Pick<LocalSlack, "sign">, { seed, note, send }: DeliveryOptions) {
  const random = createRandom(seed, 20);
  const record = recordDeliveries(agenda.now);
  let delivery = atOnce;
  let underWay = 0;

  function bring(
    envelope: EventEnvelope,
    { afterMs, isDropped = false }: { afterMs: number; isDropped?: boolean },
  ): void {
    underWay += 1;
    const body = JSON.stringify(envelope);
    const attempt = async (number: number): Promise<void> => {
      const retried: Record<string, string> =
        number === 0 ? {} : { "x-slack-retry-num": String(number), "x-slack-retry-reason": "http_error" };
      const status = number === 0 && isDropped ? 0 : await send({ ...sign(body), ...retried }, body);
      note(`event ${envelope.event.type} ${String(envelope.event["ts"])} attempt ${number}: ${status}`);
      if (status === 200) record.noteAcknowledged(envelope);
      if ((status >= 200 && status < 500 && status !== 0) || number >= mostSends) underWay -= 1;
      else agenda.plan(resendMs, () => void attempt(number + 1));
    };
    runIn(undefined, () => agenda.plan(afterMs, () => void attempt(0)));
  }

  return {
    ...record,
    /** Sends an event as `setDelivery` says, and again until it is acknowledged. */
    deliver: (envelope: EventEnvelope) => {
      record.noteSent(envelope);
      const { copies, delayMs, dropFirst } = delivery;
      for (let copy = 0; copy < copies; copy += 1)
        bring(envelope, { afterMs: delayMs + random.int(40), isDropped: dropFirst });
    },
    /** Sends the events of the message again. */
    bringAgain: (ts: string) => {
      for (const envelope of record.events(ts)) bring(envelope, { afterMs: 1 });
    },
    /** Sets the number of copies of the following events, their delay, and whether their first delivery is lost. */
    setDelivery: (next: typeof delivery) => {
      delivery = next;
    },
    /** Number of deliveries that are not finished. */
    underWay: () => underWay,
  };
}

const many = { burst: 1_000, per_minute: 10_000 };

/** The methods that read history. */
const reading = /^(conversations\.(history|replies)|users\.conversations)$/;

const slackUrl = "http://127.0.0.1:1";

const secrets = {
  signingSecret: "signing-secret-of-the-simulation",
  botToken: "xoxb-0-0-0123456789abcdef0123456789abcdef",
  appToken: "xapp-1-A0CROSSZONE-0-0123456789abcdef0123456789abcdef",
};

export type SimulatedSlack = ReturnType<typeof simulateSlack>;

/** Slack, and the network between it and verification. */
export function simulateSlack(options: DeliveryOptions & NetworkOptions) {
  const slack = createLocalSlack({
    secrets,
    url: slackUrl,
    deliver: (envelope) => deliver(envelope),
    rateLimits: options.isStrict ? { tier_3: { burst: 50, per_minute: 50 } } : { tier_3: many, tier_4: many },
  });
  const { deliver, ...deliveries } = createDeliveries(slack, options);
  return {
    ...slack,
    ...deliveries,
    /** Sends a press once. Resolves with the status, or with 0 without a response: then the person sees a warning sign. */
    press: (payload: object): Promise<number> => {
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const type = { "content-type": "application/x-www-form-urlencoded" };
      return runIn(undefined, () => options.send({ ...slack.sign(body), ...type }, body));
    },
    ...createSlackNetwork(slack, options),
    /** The variables that connect verification to it. */
    env: {
      SLACK_BOT_TOKEN: secrets.botToken,
      SLACK_SIGNING_SECRET: secrets.signingSecret,
      SLACK_APP_ID: slack.workspace.app.app_id,
      SLACK_API_URL: `${slackUrl}/api/`,
    },
  };
}

interface NetworkOptions {
  /** Whether Slack allows no bursts. */
  readonly isStrict: boolean;
  readonly troubles: Troubles;
  readonly note: (what: string) => void;
  /** Called when the app has posted or changed a message. */
  readonly onChanged: (message: Message) => void;
}

/** Creates the network that carries the app's calls to Slack's Web API. A call takes effect on arrival; its response comes later, or never. */
function createSlackNetwork(slack: LocalSlack, { troubles, note, onChanged }: NetworkOptions) {
  let failedLookUps = 0;
  let failedStatuses = 0;
  const refusedReads: string[] = [];

  async function carry(url: URL, init: RequestInit, life: Life): Promise<Response> {
    const trouble = troubles.next("slack", life);
    const chance = troubles.random("slack");
    const there = 1 + chance.int(20);
    const back = 1 + chance.int(20) + (trouble === "busy" && chance.chance(0.3) ? 500 + chance.int(4_000) : 0);
    if (trouble === "die_before") {
      life.die();
      return never();
    }
    await wait(there);
    const method = url.pathname.replace(/^\/(api|upload)\//, "").replace(/^v1\/.*/, "upload");
    note(`${life.name} calls ${method}${trouble === undefined ? "" : `: ${trouble}`}`);
    if (method.endsWith(".info") && trouble !== undefined) failedLookUps += 1;
    if (method.endsWith(".setStatus") && trouble?.startsWith("die") === false) failedStatuses += 1;
    if (trouble === "busy" && back < 500) return limited(chance.chance(0.5));
    if (trouble === "lost_before") throw new TypeError("fetch failed");
    const response = await runIn(undefined, () => answer(slack, { url, init, onChanged }));
    if (response.status === 429 && reading.test(method)) refusedReads.push(method);
    if (trouble === "die_after") {
      life.die();
      return never();
    }
    await wait(back);
    if (trouble !== "lost_after") return response;
    if (chance.chance(0.5)) throw new TypeError("fetch failed");
    return Response.json({ ok: false, error: "internal_error" }, { status: 500 });
  }

  return {
    /** Number of failed look-ups of people and channels. */
    failedLookUps: () => failedLookUps,
    /** Number of failed calls that set a thread's status. They are not repeated. */
    failedStatuses: () => failedStatuses,
    /** The methods of calls that read history too often. */
    refusedReads: () => refusedReads,
    /** Replaces `fetch` for Slack's own client. */
    fetch: ((input, init = {}) => {
      const life = currentLife();
      if (life === undefined) throw new TypeError("only processes of the simulation call Slack");
      if (!life.isAlive) return never();
      return new Promise<Response>((resolve, reject) => {
        const { signal } = init;
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        carry(new URL(input instanceof Request ? input.url : input), init, life).then(resolve, reject);
      });
    }) as typeof globalThis.fetch,
  };
}

interface Arrived {
  readonly url: URL;
  readonly init: RequestInit;
  readonly onChanged: (message: Message) => void;
}

/** Lets Slack answer a call, and reports the message that the call posted or changed. */
async function answer(slack: LocalSlack, { url, init, onChanged }: Arrived): Promise<Response> {
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
  if (ok && ts !== undefined && kind === "api" && rest[0]?.startsWith("chat.")) {
    const message = slack.messages({ channel: channel ?? "" }).find((one) => one.ts === ts);
    if (message) onChanged(message);
  }
  return Response.json(answered.body, { status: answered.status, headers: answered.headers });
}

/** Returns the request that a client would send. */
async function readCall({ method = "GET", headers = {}, body = null }: RequestInit) {
  if (typeof body === "string") return { method, headers: new Headers(headers), body: Buffer.from(body) };
  // A Request encodes forms, and is slow.
  const request = new Request("http://127.0.0.1:1", { method, headers, body });
  return { method, headers: request.headers, body: Buffer.from(await request.arrayBuffer()) };
}

/** Returns the content of an uploaded file, which may be a part of a form. */
async function contentOf(body: Buffer, headers: Headers): Promise<Buffer> {
  const contentType = headers.get("content-type") ?? "";
  if (!contentType.startsWith("multipart/form-data")) return body;
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  for (const value of form.values()) if (typeof value !== "string") return Buffer.from(await value.arrayBuffer());
  return body;
}

const limited = (isLimited: boolean): Response =>
  isLimited
    ? Response.json({ ok: false, error: "ratelimited" }, { status: 429, headers: { "retry-after": "1" } })
    : Response.json({ ok: false, error: "internal_error" }, { status: 503 });
