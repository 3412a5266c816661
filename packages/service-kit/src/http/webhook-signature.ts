import { createHmac } from "node:crypto";
import type { HookForm } from "@crosszone/contracts";
import { isSame } from "./signed-request.ts";

/** Where a request has its signatures, and what they sign: the result of `before`, and then the body. */
interface Scheme {
  readonly header: string;
  /** What precedes a signature in the header. */
  readonly prefix?: string;
  readonly encoding?: "hex" | "base64" | "token";
  /** What the names of the headers begin with; the first one by default. */
  readonly names?: readonly string[];
  /** Separates several signatures in the header. */
  readonly separator?: string;
  /** The header of the time; `t=` when it is one of the header's parts. */
  readonly time?: string | undefined;
  readonly id?: string | undefined;
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
    header: "signature",
    prefix: "v1,",
    encoding: "base64",
    separator: " ",
    time: "timestamp",
    id: "id",
    // Svix sends its own names too, or alone.
    names: ["webhook-", "svix-"],
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

/** Base64 in either alphabet. */
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Returns the key of a secret, or why it has none. That of Standard Webhooks is Base64 after `whsec_`, which Supabase shows as `v1,whsec_`. */
function keyOf({ kind }: HookForm, secret: string): Buffer | string {
  const text = kind === "standard" ? secret.trim().replace(/^(v1,)?whsec_/, "") : secret;
  if (/^(v1a,)?wh[sp]k_/.test(text) && kind === "standard")
    return "is of asymmetric signatures, which are not supported: use one that begins with whsec_";
  if (kind === "standard" && text !== "" && !base64.test(text))
    return "is not Base64 after whsec_: copy the sender's secret whole, or sign with kind: hmac";
  const key = kind === "standard" ? Buffer.from(text, "base64") : Buffer.from(secret);
  return key.length < leastKeyBytes ? "is shorter than 16 bytes: use a longer one" : key;
}

/** Returns why a secret can't be used, a predicate with what to do; undefined if it can. */
export function webhookSecretProblem(form: HookForm, secret: string): string | undefined {
  const key = keyOf(form, secret);
  return typeof key === "string" ? key : undefined;
}

/** Returns where a request that was sent with these headers has its signatures; without headers, where it should. */
function schemeOf(form: HookForm, headers: NodeJS.ReadOnlyDict<readonly string[]> = {}): Scheme {
  const scheme = schemes[form.kind](form);
  const { names: [first = ""] = [], header, time, id } = scheme;
  const name = scheme.names?.find((one) => headers[one + header] !== undefined) ?? first;
  return { ...scheme, header: name + header, time: time && name + time, id: id && name + id };
}

/** Returns a signature as it is compared. Hexadecimal digits and the scheme `Bearer` have no case. */
function comparable({ encoding = "hex" }: Scheme, signature: string): string {
  if (encoding === "hex") return signature.toLowerCase();
  return encoding === "token" ? signature.replace(/^bearer +(?=.)/i, "Bearer ") : signature;
}

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
  const scheme = schemeOf(form, headers);
  const { prefix = "", separator, time: timeIn, id: idIn } = scheme;
  const only = (name = ""): string | undefined => (headers[name]?.length === 1 ? headers[name][0] : undefined);
  const text = only(scheme.header) ?? "";
  const parts = separator === undefined ? [text] : text.split(separator).map((part) => part.trim());
  const [time, second] = timeIn === "t=" ? parts.filter((part) => part.startsWith(timeIn)) : [only(timeIn)];
  const seconds = time?.replace(/^t=/, "");
  const id = only(idIn);
  const [wanted, ...given] = [prefix, ...parts].map((part) => comparable(scheme, part));
  const signatures = given.filter((part) => part.startsWith(wanted ?? "") && part !== wanted).slice(0, mostSignatures);
  const isSigned = secrets
    .map((secret) => keyOf(form, secret))
    .filter((key) => typeof key !== "string")
    .map((key) => comparable(scheme, signatureOf(scheme, key, { time: seconds, id, body })))
    .flatMap((expected) => signatures.map((one) => isSame(one, expected)))
    .includes(true);
  const lacks = (timeIn !== undefined && seconds === undefined) || (idIn !== undefined && id === undefined);
  if (signatures.length === 0 || lacks || second !== undefined) return { refusal: "signature_missing" };
  if (!isSigned) return { refusal: "signature_wrong" };
  // `Number` also reads other texts than digits.
  const isNear = /^\d{1,12}$/.test(seconds ?? "") && Math.abs(Number(seconds) * 1_000 - now) <= windowMs;
  return timeIn === undefined || isNear ? { id } : { refusal: "timestamp_wrong" };
}

/** Returns the headers with which a sender signs a body now. Throws a `TypeError` for a secret that can't be used. */
export function signWebhook(
  form: HookForm,
  secret: string,
  { body, id, now }: { readonly body: Uint8Array; readonly id: string; readonly now: number },
): Record<string, string> {
  const scheme = schemeOf(form);
  const { header, time, id: idHeader } = scheme;
  const key = keyOf(form, secret);
  if (typeof key === "string") throw new TypeError(`The secret ${key}.`);
  const seconds = String(Math.floor(now / 1_000));
  const signature = signatureOf(scheme, key, { time: seconds, id, body });
  if (time === "t=") return { [header]: `t=${seconds},${signature}` };
  return { [header]: signature, ...(time && { [time]: seconds }), ...(idHeader && { [idHeader]: id }) };
}
