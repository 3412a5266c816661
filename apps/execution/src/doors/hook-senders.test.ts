import { createHmac, randomBytes } from "node:crypto";
import { sign as signAsGitHub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as SvixWebhook } from "svix";
import type { HookList } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { adminToken, hookSecret, type HookZone, startHooks } from "../testing/start-hooks.ts";
import { echo } from "../testing/start-zone.ts";

const key = randomBytes(32).toString("base64");
const secrets = {
  AGENT_SECRET_SW: `whsec_${key}`,
  AGENT_SECRET_SB: `v1,whsec_${key}`,
  AGENT_SECRET_ST: "whsec_of_stripe_which_is_used_whole",
  AGENT_SECRET_AL: "a token of Alertmanager",
};
const hook = (name: string, [sign, secret]: readonly [string, string], members: string) =>
  `  - {name: ${name}, owner: {team_id: T1, user_id: U1}, sign: ${sign}, secrets: [env:AGENT_SECRET_${secret}], agent: echo, ${members}, cap: {fires: 1440}}`;
const file = `hooks:
${[
  hook("gh", ["{kind: github}", "GITHUB"], 'text: "${body.issue.title}"'),
  hook("ref", ["{kind: github}", "GITHUB"], 'text: "${body.resource.id} ${body.rate} ${body}"'),
  hook("in", ["{kind: github}", "GITHUB"], 'input: {id: "${body.resource.id}", all: "${body}"}'),
  hook("cond", ["{kind: github}", "GITHUB"], 'text: hi, if: "body.resource.id > 5.0"'),
  hook("only", ["{kind: github}", "GITHUB"], 'text: hi, only: {/action: [opened]}, if: "body.n > 1.0"'),
  hook("sl", ["{kind: slack}", "GITHUB"], 'text: "${body.text ?? \\"none\\"}"'),
  hook("st", ["{kind: stripe}", "ST"], 'text: "${body.type}"'),
  hook("sw", ["{kind: standard}", "SW"], 'text: "${body.type}"'),
  hook("sb", ["{kind: standard}", "SB"], 'text: "${body.type}"'),
  hook("al", ["{kind: bearer}", "AL"], 'text: "${body.status}"'),
  hook("hm", ["{kind: hmac, header: x-signature}", "GITHUB"], 'text: "${body.n}"'),
].join("\n")}
`;
const start = () => startHooks(file, [echo], { env: secrets });

/** Returns the texts of the fires of a hook. */
const textsOf = async ({ fires }: HookZone, name: string) =>
  (await fires()).filter((fire) => fire.name === name).map(({ text }) => text);

const json = ["content-type", "application/json"];
/** Returns the HMAC of a body, after what else is signed, in hexadecimal digits. */
const hex = (body: string | Buffer, before = ""): string =>
  createHmac("sha256", hookSecret).update(before).update(body).digest("hex");
const github = (body: string | Buffer): readonly string[] => ["x-hub-signature-256", `sha256=${hex(body)}`];
const slackSigned = (body: string | Buffer): string[] => {
  const at = String(Math.floor(Date.now() / 1_000));
  return ["x-slack-request-timestamp", at, "x-slack-signature", `v0=${hex(body, `v0:${at}:`)}`];
};

/** Returns what a library of Standard Webhooks sends. `before`: other signatures in the header. */
function standard(
  hookName: string,
  library: { sign(id: string, at: Date, body: string): string },
  { type, prefix = "webhook", before = "" }: { type: string; prefix?: string; before?: string },
): readonly [string, readonly string[], string, string] {
  const [id, body, at] = [`msg_${type}`, JSON.stringify({ type }), new Date()];
  const own = {
    id,
    timestamp: String(Math.floor(at.getTime() / 1_000)),
    signature: before + library.sign(id, at, body),
  };
  const headers = Object.entries(own).flatMap(([name, value]) => [`${prefix}-${name}`, value]);
  return [hookName, [...json, ...headers], body, type];
}

/** What each sender sends, by its own library where it has one: the hook, the headers, the body and the text of the fire. */
const senders: Readonly<Record<string, () => Promise<readonly [string, readonly string[], string, string]>>> = {
  GitHub: async () => {
    const body = JSON.stringify({ action: "opened", issue: { title: "Fix it", id: 3_012_345_678 } });
    const own = ["x-github-event", "issues", "x-github-delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958"];
    const old = ["x-hub-signature", `sha1=${createHmac("sha1", hookSecret).update(body).digest("hex")}`];
    const signed = ["x-hub-signature-256", await signAsGitHub(hookSecret, body)];
    return ["gh", [...json, ...own, ...old, ...signed], body, "Fix it"];
  },
  "GitHub, as a form": async () => {
    const body = new URLSearchParams({ payload: JSON.stringify({ issue: { title: "Grüße & more" } }) }).toString();
    const form = ["content-type", "application/x-www-form-urlencoded"];
    return ["gh", [...form, "x-hub-signature-256", await signAsGitHub(hookSecret, body)], body, "Grüße & more"];
  },
  "a command of Slack": async () => {
    const body = "command=%2Fdeploy&text=Gr%C3%BC%C3%9Fe+now&team_id=T1";
    return ["sl", ["content-type", "application/x-www-form-urlencoded", ...slackSigned(body)], body, "Grüße now"];
  },
  "an event of Slack": async () => {
    const body = JSON.stringify({ type: "event_callback", text: "an event" });
    return ["sl", [...json, "x-slack-retry-num", "1", ...slackSigned(body)], body, "an event"];
  },
  Stripe: async () => {
    const body = JSON.stringify({ id: "evt_1", object: "event", type: "charge.succeeded" }, null, 2);
    const signed = { payload: body, secret: secrets.AGENT_SECRET_ST };
    const header = new Stripe("sk_test_x").webhooks.generateTestHeaderString(signed);
    const type = "application/json; charset=utf-8";
    return ["st", ["content-type", type, "stripe-signature", header], body, "charge.succeeded"];
  },
  "Svix, as Clerk and Resend use it": async () =>
    standard("sw", new SvixWebhook(secrets.AGENT_SECRET_SW), { type: "user.created", prefix: "svix" }),
  "Standard Webhooks, during a rotation": async () => {
    const before = `v1,${"A".repeat(43)}= `;
    return standard("sw", new StandardWebhook(secrets.AGENT_SECRET_SW), { type: "contact.made", before });
  },
  "Supabase, whose secret begins with v1": async () =>
    standard("sb", new StandardWebhook(secrets.AGENT_SECRET_SB.replace("v1,", "")), { type: "auth.hook" }),
  "Alertmanager, with the scheme in small letters": async () => {
    const body = JSON.stringify({ status: "firing" });
    return ["al", [...json, "authorization", `bearer ${secrets.AGENT_SECRET_AL}`], body, "firing"];
  },
};

test("O18, J33: what each sender sends, by its own library, starts its fire", async () => {
  const zone = await start();
  for (const [sender, make] of Object.entries(senders)) {
    const [name, headers, body, text] = await make();
    const answer = await zone.send(name, { body, headers });
    expect.soft([sender, answer]).toMatchObject([sender, { status: 202, body: { fire_id: expect.any(String) } }]);
    expect.soft([sender, (await textsOf(zone, name)).includes(text)]).toEqual([sender, true]);
  }
});

test("O18: unusual forms of signatures and types were refused", async () => {
  const zone = await start();
  const body = '{"n":1,"issue":{"title":"t"}}';
  const forms: readonly (readonly [string, ...string[]])[] = [
    ["hm", "x-signature", hex(body).toUpperCase()],
    ["gh", "x-hub-signature-256", `sha256=${hex(body).toUpperCase()}`],
    ["al", "authorization", `BEARER  ${secrets.AGENT_SECRET_AL}`],
    ...[
      "application/json; charset=utf8",
      'application/json;charset="UTF-8"; v=1',
      "application/vnd.github.v3+json; charset=US-ASCII",
      "",
    ].map((type) => ["gh", "content-type", type, ...github(body)] as const),
    ["gh", "content-encoding", "identity", ...github(body)],
    ["gh", "content-encoding", "", ...github(body)],
  ];
  for (const [at, [name, ...headers]] of forms.entries()) {
    const { status } = await zone.send(name, { body: name === "al" ? `{"status":"${at}"}` : body, headers });
    expect.soft([headers, status]).toEqual([headers, 202]);
  }
  const utf16 = ["content-type", "application/json; charset=utf-16", ...github(body)];
  expect((await zone.send("gh", { body, headers: utf16 })).status).toBe(415);
  const other = ["authorization", `bearer ${secrets.AGENT_SECRET_AL.toUpperCase()}`];
  expect((await zone.send("al", { body, headers: other })).status).toBe(401);
});

test("O17: Slack's check of the URL started the agent", async () => {
  const zone = await start();
  const body = '{"token":"t","challenge":"abc123","type":"url_verification"}';
  const checked = await zone.send("sl", { body, headers: slackSigned(body) });
  expect(checked).toMatchObject({ status: 200, body: { challenge: "abc123" } });
  expect((await zone.send("sl", { body, headers: slackSigned("{}") })).status).toBe(401);
  expect((await zone.send("gh", { body, headers: github(body) })).status).toBe(422);
  expect(await zone.fires()).toEqual([]);
});

test("O19: a form with bytes of UTF-8 reached the agent as GrÃ¼Ã", async () => {
  const zone = await start();
  const form = ["content-type", "application/x-www-form-urlencoded"];
  for (const body of [
    Buffer.from("text=Grüße 日本"),
    Buffer.from("text=Grüße", "latin1"),
    Buffer.from("text=Gr%C3%BC%C3%9Fe"),
  ])
    await zone.send("sl", { body, headers: [...form, ...slackSigned(body)] });
  expect(new Set(await textsOf(zone, "sl"))).toEqual(new Set(["Grüße", "Grüße 日本"]));
});

test("O20: a number that would change, anywhere in a body, refused the delivery: now only where it is used as a number", async () => {
  const zone = await start();
  const body =
    '{"issue":{"title":"t"},"resource":{"id":1234567890123456789},"rate":0.1234567890123456789,"delta":-0.0}';
  const send = (name: string) => zone.send(name, { body, headers: github(body) });
  expect((await send("gh")).status).toBe(202);
  expect((await send("ref")).status).toBe(202);
  const whole =
    '{"issue":{"title":"t"},"resource":{"id":"1234567890123456789"},"rate":"0.1234567890123456789","delta":"-0.0"}';
  expect(await textsOf(zone, "ref")).toEqual([`1234567890123456789 0.1234567890123456789 ${whole}`]);
  for (const name of ["in", "cond"])
    expect(await send(name)).toMatchObject({
      status: 422,
      body: { error: { reason: "body_invalid", problems: [{ pointer: "/resource/id" }] } },
    });
  const exact = '{"resource":{"id":7},"rate":0.1234567890123456789}';
  expect((await zone.send("in", { body: exact, headers: github(exact) })).status).toBe(202);
  expect((await textsOf(zone, "in"))[0]).toBe('{"id":7,"all":{"resource":{"id":7},"rate":"0.1234567890123456789"}}');
});

test("J33: the answer names what ignores a delivery", async () => {
  const zone = await start();
  const ignored = async (value: object) => (await zone.deliver("only", value)).body["ignored"];
  expect(await ignored({ action: "closed", n: 2 })).toBe("The hook's `only` does not match.");
  expect(await ignored({ action: "opened", n: 1 })).toBe("The hook's `if` is false.");
});

test("O21: of a hundred deliveries at once, forty were refused for good; what is refused is in the list, with its reason", async () => {
  const zone = await start();
  const all = Array.from({ length: 100 }, (_, n) => zone.deliver("gh", { issue: { title: `t${n}` } }));
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([202]));
  for (const body of ["{}", "[1]"]) await zone.send("hm", { body, headers: ["x-signature", hex("other")] });
  await zone.deliver("gh", { no: 1 });
  const listed = async () => {
    const answer = await fetch(`${zone.url}/api/v1/hooks`, { headers: { authorization: `Bearer ${adminToken}` } });
    const { hooks } = (await answer.json()) as HookList;
    return Object.fromEntries(hooks.map(({ name, refused }) => [name, refused]));
  };
  await expect.poll(async () => (await listed())["hm"]?.count).toBe(2);
  expect(await listed()).toMatchObject({
    gh: { count: 1, reasons: [{ reason: "mapping_failed", count: 1 }] },
    hm: { count: 2, reasons: [{ reason: "signature_wrong", count: 2 }], last_at: expect.any(String) },
  });
  expect((await listed())["sw"]).toBeUndefined();
});
