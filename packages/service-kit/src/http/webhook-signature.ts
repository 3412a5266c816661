import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { HookForm } from "@crosszone/contracts";

/** Where a request has its signatures, and what they sign: the result of `before`, and then the body. */
interface Scheme {
  readonly header: string;
  /** What precedes a signature in the header. */
  readonly prefix?: string;
  readonly encoding?: "hex" | "base64" | "token";
  /** Separates several signatures in the header. */
  readonly separator?: string;
  /** The header of the time; `t=` when it is one of the header's parts. */
  readonly time?: string;
  readonly id?: string;
  readonly before?: (time: string, id: string) => string;
}

/** By kind. The documentation of each sender is named in `docs/hooks.md`. */
const schemes: Readonly<Record<HookForm["kind"], (form: HookForm) => Scheme>> = {
  github: () => ({ header: "x-hub-signature-256", prefix: "sha256=" }),
  slack: () => ({
    header: "x-slack-signature",
    prefix: "v0=",
    time: "x-slack-request-timestamp",
    before: (time) => `v0:${time}:`,
  }),
  standard: () => ({
    header: "webhook-signature",
    prefix: "v1,",
    encoding: "base64",
    separator: " ",
    time: "webhook-timestamp",
    id: "webhook-id",
    before: (time, id) => `${id}.${time}.`,
  }),
  stripe: () => ({
    header: "stripe-signature",
    prefix: "v1=",
    separator: ",",
    time: "t=",
    before: (time) => `${time}.`,
  }),
  hmac: ({ header = "x-signature", ...form }) => ({ header, separator: ",", ...form }),
  bearer: ({ header }) => ({ header: header ?? "authorization", prefix: header ? "" : "Bearer ", encoding: "token" }),
};

/** The largest difference of a signed time to the clock, either way, milliseconds. */
const windowMs = 300_000;
/** More signatures in one request are not looked at. */
const mostSignatures = 10;
/** Shorter keys can be guessed, and an empty one is everybody's. */
const leastKeyBytes = 16;

/** Returns the key of a secret; undefined for one that is too short. That of Standard Webhooks is Base64 after `whsec_`. */
function keyOf({ kind }: HookForm, secret: string): Buffer | undefined {
  const key = kind === "standard" ? Buffer.from(secret.replace(/^whsec_/, ""), "base64") : Buffer.from(secret);
  return key.length < leastKeyBytes ? undefined : key;
}

/** Returns whether a secret can be used: it has a key of at least 16 bytes. */
export const isWebhookSecret = (form: HookForm, secret: string): boolean => keyOf(form, secret) !== undefined;

function signatureOf(
  { encoding = "hex", prefix = "", before }: Scheme,
  key: Buffer,
  {
    time = "",
    id = "",
    body,
  }: { readonly time?: string | undefined; readonly id?: string | undefined; readonly body: Uint8Array },
): string {
  if (encoding === "token") return prefix + key.toString();
  const signed = before?.(time, id) ?? "";
  return prefix + createHmac("sha256", key).update(signed).update(body).digest(encoding);
}

/** Why a request is not its sender's. */
export type WebhookRefusal = "signature_missing" | "signature_wrong" | "timestamp_wrong";

/**
 * Returns why none of the secrets signed a request, or its id if that is signed. `body`: the bytes as they arrived; `now`: Unix milliseconds. Takes the same time whatever
 * is wrong. A header of the form that is there twice is missing.
 */
export function judgeWebhook(
  form: HookForm,
  secrets: readonly string[],
  request: {
    readonly headers: NodeJS.ReadOnlyDict<readonly string[]>;
    readonly body: Uint8Array;
    readonly now: number;
  },
): { readonly refusal?: WebhookRefusal; readonly id?: string | undefined } {
  const { headers, body, now } = request;
  const scheme = schemes[form.kind](form);
  const { prefix = "", separator, time: timeIn, id: idIn } = scheme;
  const only = (name = ""): string | undefined => (headers[name]?.length === 1 ? headers[name][0] : undefined);
  const text = only(scheme.header) ?? "";
  const parts = separator === undefined ? [text] : text.split(separator);
  const [time, second] = timeIn === "t=" ? parts.filter((part) => part.startsWith(timeIn)) : [only(timeIn)];
  const seconds = time?.replace(/^t=/, "");
  const id = only(idIn);
  const given = parts.filter((part) => part.startsWith(prefix) && part !== prefix).slice(0, mostSignatures);
  const isSigned = secrets
    .flatMap((secret) => keyOf(form, secret) ?? [])
    .map((key) => signatureOf(scheme, key, { time: seconds, id, body }))
    .flatMap((expected) => given.map((one) => isSame(one, expected)))
    .includes(true);
  const lacks = (timeIn !== undefined && seconds === undefined) || (idIn !== undefined && id === undefined);
  if (given.length === 0 || lacks || second !== undefined) return { refusal: "signature_missing" };
  if (!isSigned) return { refusal: "signature_wrong" };
  // `Number` also reads other texts than digits.
  const isNear = /^\d{1,12}$/.test(seconds ?? "") && Math.abs(Number(seconds) * 1_000 - now) <= windowMs;
  return timeIn === undefined || isNear ? { id } : { refusal: "timestamp_wrong" };
}

/** Compares digests, because `timingSafeEqual` needs equal lengths. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));

/** Returns the headers with which a sender signs a body now. Throws a `TypeError` for a secret that is too short. */
export function signWebhook(
  form: HookForm,
  secret: string,
  { body, id, now }: { readonly body: Uint8Array; readonly id: string; readonly now: number },
): Record<string, string> {
  const scheme = schemes[form.kind](form);
  const { header, time, id: idHeader } = scheme;
  const key = keyOf(form, secret);
  if (key === undefined) throw new TypeError(`Expected a secret of at least ${leastKeyBytes} bytes.`);
  const seconds = String(Math.floor(now / 1_000));
  const signature = signatureOf(scheme, key, { time: seconds, id, body });
  if (time === "t=") return { [header]: `t=${seconds},${signature}` };
  return { [header]: signature, ...(time && { [time]: seconds }), ...(idHeader && { [idHeader]: id }) };
}
