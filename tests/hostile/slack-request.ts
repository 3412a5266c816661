import { createHmac } from "node:crypto";
import { createRandom, type Random } from "../harness/random.ts";
import { breakRequest } from "./hostile-bodies.ts";

/** A request to the events URL. */
export interface SlackRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** Whether Slack could have signed it now. */
  readonly signed: boolean;
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";

const methods = ["GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"];
const paths = ["/", "/slack", "/slack/events/", "/slack//events", "/SLACK/EVENTS", "/slack/actions", "/rpc"];
const oddPaths = ["/%ZZ", "/..", "//"];
const types = [form, "text/plain", "multipart/form-data; boundary=a", "", "application/xml"];
const oddTypes = ["application/jsonx", "application/json-patch+json"];

/** Changes that make a signed request one with another method, path or content type. */
const detours: readonly ((request: SlackRequest, random: Random) => Partial<SlackRequest>)[] = [
  (_request, random) => ({ name: "another method", method: random.pick(methods) }),
  (_request, random) => ({ name: "another path", path: random.pick([...paths, ...oddPaths]) }),
  ({ headers }, random) => ({
    name: "another type",
    headers: { ...headers, "content-type": random.pick([...types, ...oddTypes]) },
  }),
  () => ({
    name: "ssl_check without a signature",
    headers: { "content-type": form },
    body: Buffer.from("ssl_check=1&token=x"),
    signed: false,
  }),
];

/**
 * Returns a function that returns request `number` of a seed: mutants of real envelopes with good and bad signatures, and signed bodies of the
 * corpus.
 */
export function createSlackRequests(seed: number, secret: string, envelopes: readonly Record<string, unknown>[]) {
  return (number: number): SlackRequest => {
    const random = createRandom(seed, number);
    const envelope = random.chance(0.9) ? fresh(random.pick(envelopes), number, random) : handshake(random);
    const { name, bytes } = breakRequest(envelope, random, envelopes);
    const body = Buffer.from(bytes);
    const draft = { body, secret, timestamp: String(Math.floor(Date.now() / 1_000)) };
    const headers = {
      "content-type": json,
      "x-slack-request-timestamp": draft.timestamp,
      "x-slack-signature": sign(draft),
    };
    const request: SlackRequest = { name, method: "POST", path: "/slack/events", headers, body, signed: true };
    if (random.chance(0.3)) {
      const how = random.pick(Object.keys(spoils));
      return { ...request, name: `${how}, ${name}`, headers: spoils[how]?.(headers, draft) ?? {}, signed: false };
    }
    return random.chance(0.1) ? { ...request, ...random.pick(detours)(request, random) } : request;
  };
}

/** Makes most events new ones, with their own id and timestamp. */
function fresh(envelope: Record<string, unknown>, number: number, random: Random): Record<string, unknown> {
  if (random.chance(0.1)) return envelope;
  const { event } = envelope as { event: Record<string, unknown> };
  const ts = `${1_700_000_000 + number}.${String(100_000 + random.int(900_000))}`;
  return {
    ...envelope,
    event_id: `Ev${number}H${random.int(1_000_000)}`,
    event: { ...event, ...("ts" in event && { ts }) },
  };
}

function handshake(random: Random): Record<string, unknown> {
  const challenge = random.pick<unknown>(["abc", "", null, 5, {}, ["x"], "<script>", "y".repeat(5_000), undefined]);
  return random.pick<Record<string, unknown>>([
    { type: "url_verification", token: "t", challenge },
    { type: "url_verification", challenge, event: { type: "message" } },
    { ssl_check: "1" },
    { ssl_check: 1, type: "event_callback" },
    { type: "app_rate_limited", minute_rate_limited: 1 },
    { type: "block_actions", actions: [] },
    { command: "/x", text: "hello" },
    { payload: '{"type":"event_callback"}' },
  ]);
}

/** A body to sign, with its time and secret. */
interface Draft {
  readonly body: Buffer;
  readonly timestamp: string;
  readonly secret: string;
}

/** Returns Slack's signature of a draft. https://docs.slack.dev/authentication/verifying-requests-from-slack */
function sign({ body, timestamp, secret }: Draft): string {
  return `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex")}`;
}

type Spoil = (headers: Record<string, string>, draft: Draft) => Record<string, string>;

const drop =
  (name: string): Spoil =>
  ({ [name]: _dropped, ...rest }) =>
    rest;
const at =
  (change: (seconds: number) => string): Spoil =>
  (headers, draft) => {
    const timestamp = change(Number(draft.timestamp));
    return { ...headers, "x-slack-request-timestamp": timestamp, "x-slack-signature": sign({ ...draft, timestamp }) };
  };
const signature =
  (change: (good: string) => string): Spoil =>
  (headers) => ({ ...headers, "x-slack-signature": change(headers["x-slack-signature"] ?? "") });

/** Changes of the headers that Slack never sends. */
const spoils: Record<string, Spoil> = {
  "no signature": drop("x-slack-signature"),
  "no timestamp": drop("x-slack-request-timestamp"),
  "an empty signature": signature(() => ""),
  "another version": signature((good) => good.replace("v0", "v1")),
  "text behind the signature": signature((good) => `${good}=junk`),
  "two signatures": signature((good) => `${good}, ${good}`),
  "half a signature": signature((good) => good.slice(0, 40)),
  capitals: signature((good) => good.toUpperCase()),
  noughts: signature(() => `v0=${"0".repeat(64)}`),
  "another secret": (headers, draft) => ({
    ...headers,
    "x-slack-signature": sign({ ...draft, secret: `${draft.secret}x` }),
  }),
  "another body": (headers, draft) => ({
    ...headers,
    "x-slack-signature": sign({ ...draft, body: Buffer.concat([draft.body, Buffer.from(" ")]) }),
  }),
  "signed for another time": (headers, draft) => ({
    ...headers,
    "x-slack-request-timestamp": String(Number(draft.timestamp) - 1),
  }),
  "six minutes old": at((now) => String(now - 360)),
  "from the future": at((now) => String(now + 400)),
  "a fraction of a second": at((now) => `${now}.5`),
  milliseconds: at((now) => String(now * 1_000)),
  "no number": at(() => "now"),
  "an exponent": at((now) => `${now}e0`),
  "below nought": at((now) => String(-now)),
  hexadecimal: at((now) => `0x${now.toString(16)}`),
};
