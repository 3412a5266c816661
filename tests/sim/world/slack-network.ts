import type { LocalSlack, Message } from "@crosszone/dev-slack";
import type { Troubles } from "../faults/troubles.ts";
import { currentLife, never, runIn, type Life } from "../time/life.ts";
import { agenda } from "../time/virtual-time.ts";

export interface SlackNetwork {
  /** Replaces `fetch` for Slack's own client. */
  readonly fetch: typeof globalThis.fetch;
  /** Number of failed look-ups of people and channels. */
  readonly failedLookUps: () => number;
  /** Number of failed calls that set a thread's status. They are not repeated. */
  readonly failedStatuses: () => number;
}

export interface NetworkOptions {
  readonly troubles: Troubles;
  readonly note: (what: string) => void;
  /** Called when the app has posted or changed a message. */
  readonly onChanged: (message: Message) => void;
}

/** Creates the network that carries the app's calls to Slack's Web API. A call takes effect on arrival; its response comes later, or never. */
export function createSlackNetwork(slack: LocalSlack, { troubles, note, onChanged }: NetworkOptions): SlackNetwork {
  let failedLookUps = 0;
  let failedStatuses = 0;

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
    failedLookUps: () => failedLookUps,
    failedStatuses: () => failedStatuses,
    fetch: (input, init = {}) => {
      const life = currentLife();
      if (life === undefined) throw new TypeError("only processes of the simulation call Slack");
      if (!life.isAlive) return never();
      return new Promise<Response>((resolve, reject) => {
        const { signal } = init;
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        carry(new URL(input instanceof Request ? input.url : input), init, life).then(resolve, reject);
      });
    },
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

const wait = (ms: number): Promise<void> => new Promise((resolve) => void agenda.plan(ms, resolve));

const limited = (isLimited: boolean): Response =>
  isLimited
    ? Response.json({ ok: false, error: "ratelimited" }, { status: 429, headers: { "retry-after": "1" } })
    : Response.json({ ok: false, error: "internal_error" }, { status: 503 });
