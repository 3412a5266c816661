import { createHmac, randomBytes } from "node:crypto";
import type { HookForm } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeWebhook, signWebhook, webhookSecretProblem } from "./webhook-signature.ts";

type Headers = Readonly<Record<string, string | readonly string[]>>;

interface Sent {
  readonly headers: Headers;
  readonly body: string | Buffer;
  /** Unix milliseconds. */
  readonly at?: number;
}

/** Returns what a request is. */
function judge(form: HookForm, secrets: string | readonly string[], { headers, body, at = 0 }: Sent) {
  const distinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]));
  return judgeWebhook(form, [secrets].flat(), { headers: distinct, body: Buffer.from(body), now: at });
}

const slackBody =
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

/** What the senders publish: secret, headers, body and time. */
const published: Readonly<Record<string, readonly [HookForm, string, Record<string, string>, string, number]>> = {
  GitHub: [
    { kind: "github" },
    "It's a Secret to Everybody",
    { "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" },
    "Hello, World!",
    0,
  ],
  Slack: [
    { kind: "slack" },
    "8f742231b10e8888abcd99yyyzzz85a5",
    {
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      "x-slack-request-timestamp": "1531420618",
    },
    slackBody,
    1_531_420_618_000,
  ],
  "Standard Webhooks": [
    { kind: "standard" },
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    '{"test": 2432232314}',
    1_614_265_330_000,
  ],
};

test.each(Object.entries(published))("the published example of %s holds, and nothing near it", (_name, example) => {
  const [form, secret, headers, body, at] = example;
  const of = (changed: Partial<Sent>) => judge(form, secret, { headers, body, at, ...changed });
  expect(judge(form, ["an old secret of it", secret], { headers, body, at })).toEqual({ id: headers["webhook-id"] });
  expect(judge(form, [], { headers, body, at })).toEqual({ refusal: "signature_wrong" });
  expect(of({ body: `${body} ` })).toEqual({ refusal: "signature_wrong" });
  expect(of({ headers: {} })).toEqual({ refusal: "signature_missing" });
  for (const [name, value] of Object.entries(headers)) {
    expect(of({ headers: { ...headers, [name]: [value, value] } })).toEqual({ refusal: "signature_missing" });
    const other = [value.replace("sha256", "sha1"), value.replaceAll("0", "1")];
    const near = [value.slice(0, -1), `${value}0`, `0${value}`, ...other, "", "v1,", "sha1=aa", "sha256="];
    const others = near
      .filter((one) => one !== value)
      .map((one) => of({ headers: { ...headers, [name]: one } }).refusal);
    expect(others).not.toContain(undefined);
  }
  if (at === 0) return;
  for (const near of [-300_000, 300_000]) expect(of({ at: at + near }).refusal).toBeUndefined();
  for (const far of [-301_000, 301_000]) expect(of({ at: at + far })).toEqual({ refusal: "timestamp_wrong" });
});

test("O18: the headers of Svix are those of Standard Webhooks; the id and the time are its own", () => {
  const [secret, body, at] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"n":1}', 1_614_265_330_000];
  const signed = signWebhook({ kind: "standard" }, secret, { body: Buffer.from(body), id: "msg_1", now: at });
  const headers = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.replace("webhook", "svix"), value]),
  );
  const of = (changed: Headers) => judge({ kind: "standard" }, secret, { headers: changed, body, at });
  expect(of(headers)).toEqual({ id: "msg_1" });
  expect(of({ ...headers, ...signed, "svix-signature": "v1,AAAA" })).toEqual({ id: "msg_1" });
  expect(of({ ...headers, "svix-id": "msg_2" })).toEqual({ refusal: "signature_wrong" });
  // Parts of both are no signature.
  const { "svix-id": id, ...others } = headers;
  expect(of({ ...others, "webhook-id": id ?? "" })).toEqual({ refusal: "signature_missing" });
});

test("O18: a secret of Supabase was accepted at start and refused for ever; one that can't work says what to do", () => {
  const form = { kind: "standard" } as const;
  const key = randomBytes(32).toString("base64");
  const body = "{}";
  const headers = signWebhook(form, `whsec_${key}`, { body: Buffer.from(body), id: "1", now: 0 });
  for (const secret of [`v1,whsec_${key}`, key, ` whsec_${key}\n`]) {
    expect(webhookSecretProblem(form, secret)).toBeUndefined();
    expect(judge(form, secret, { headers, body })).toEqual({ id: "1" });
  }
  expect(webhookSecretProblem(form, `v1a,whsk_${key}`)).toMatch(
    /asymmetric signatures.*use one that begins with whsec_/,
  );
  expect(webhookSecretProblem(form, "my secret of many words")).toMatch(/not Base64 after whsec_: copy/);
  expect(webhookSecretProblem({ kind: "stripe" }, "whsec_of_stripe_in_text")).toBeUndefined();
});

test("Stripe's header has its time and several signatures; one with two times has none", () => {
  const [secret, body, now] = ["whsec_test_secret_of_stripe", '{"id":"evt_1"}', 1_492_774_577_000];
  const hex = createHmac("sha256", secret).update(`1492774577.${body}`).digest("hex");
  const of = (header: string) =>
    judge({ kind: "stripe" }, secret, { headers: { "stripe-signature": header }, body, at: now }).refusal;
  expect(of(`t=1492774577,v1=${"0".repeat(64)},v1=${hex},v0=${hex}`)).toBeUndefined();
  expect(of(`t=1492774577,v0=${hex}`)).toBe("signature_missing");
  expect(of(`t=1492774577,t=1492774577,v1=${hex}`)).toBe("signature_missing");
  expect(of(`v1=${hex}`)).toBe("signature_missing");
});

const forms: readonly HookForm[] = [
  { kind: "github" },
  { kind: "slack" },
  { kind: "standard" },
  { kind: "stripe" },
  { kind: "hmac", header: "x-signature", prefix: "v1=", encoding: "base64" },
  { kind: "hmac", header: "linear-signature" },
  { kind: "bearer" },
  { kind: "bearer", header: "x-gitlab-token" },
];

test("what a form signs it accepts, whatever the bytes, and for no other secret, body or time that it signs", () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const secret = fc.stringMatching(/^[!-~]{16,40}$/).map((text) => Buffer.from(text).toString("base64"));
  fc.assert(
    fc.property(fc.constantFrom(...forms), fc.tuple(bytes, bytes), fc.tuple(secret, secret), (form, bodies, keys) => {
      const [body = Buffer.of(), other = Buffer.of()] = bodies.map((one) => Buffer.from(one));
      const [key, wrong] = keys;
      fc.pre(key !== wrong && !body.equals(other));
      const at = 1_700_000_000_000;
      const headers = signWebhook(form, key, { body, id: "d1", now: at });
      const isOther = form.kind === "bearer" ? undefined : "signature_wrong";
      expect(judge(form, key, { headers, body, at }).refusal).toBeUndefined();
      expect(judge(form, wrong, { headers, body, at }).refusal).toBe("signature_wrong");
      expect(judge(form, key, { headers, body: other, at }).refusal).toBe(isOther);
    }),
  );
});

test.each(["1700000000abc", "1700000000.0", " 1700000000", "+1700000000", "0x6553f100", "1.7e9", "-1", "١٧", ""])(
  "a signed time that is not digits alone is refused: %j",
  (time) => {
    const secret = "8f742231b10e8888abcd99yyyzzz85a5";
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${time}:{}`).digest("hex")}`;
    const headers = { "x-slack-signature": signature, "x-slack-request-timestamp": time };
    expect(judge({ kind: "slack" }, secret, { headers, body: "{}", at: 1_700_000_000_000 }).refusal).toBe(
      "timestamp_wrong",
    );
  },
);

test("a secret without a key is none: an empty signature key would be everybody's", () => {
  for (const secret of ["", "whsec_", "whsec_!!!!", "short"]) {
    expect(webhookSecretProblem({ kind: "standard" }, secret)).toBeDefined();
    const hex = createHmac("sha256", secret).update("{}").digest("hex");
    const headers = { "x-hub-signature-256": `sha256=${hex}` };
    expect(judge({ kind: "github" }, secret, { headers, body: "{}" }).refusal).toBe("signature_wrong");
    expect(() => signWebhook({ kind: "standard" }, secret, { body: Buffer.from(""), id: "1", now: 0 })).toThrow(
      "The secret is",
    );
  }
});
