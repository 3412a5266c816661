import { createHmac } from "node:crypto";

/** A body to sign, with its time and secret. */
interface Draft {
  readonly body: Buffer;
  readonly timestamp: string;
  readonly secret: string;
}

/** Returns Slack's signature of a draft. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function sign({ body, timestamp, secret }: Draft): string {
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
export const spoils: Record<string, Spoil> = {
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
