import { newTokenText, tokenDigest } from "@crosszone/admin-api";
import { adminToken } from "@crosszone/admin-api/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newInput, payment } from "../../testing/new-input.ts";
import { type StartedSignIn, startSignIn, type Sub, type TestBrowser } from "../../testing/start-sign-in.ts";

const cookie = "__Host-crosszone";
const asked = newInput().request_id;
const approve = { answer: { verdict: "approve" } };
const form = "application/x-www-form-urlencoded";

type Signed = StartedSignIn & { readonly who: Readonly<Record<Sub, TestBrowser>>; readonly other: StartedSignIn };
type Attack = (zone: Signed) => Promise<{ readonly status: number; readonly body: string }>;

/** Withdraws an approval, as a page with these headers lets the browser of an operator do. */
const fromPage =
  (headers: Readonly<Record<string, string>>, body?: string): Attack =>
  ({ who }) =>
    who.olga.ask(`/api/v1/input-requests/${asked}/withdraw`, {
      method: "POST",
      headers,
      ...(body !== undefined && { body }),
    });

const withCookie =
  (make: (zone: Signed) => string | Promise<string>): Attack =>
  async (zone) =>
    zone.send(`${zone.url}/api/v1/tasks`, { headers: { cookie: await make(zone) } });

const doing =
  (sub: Sub, line: string, body?: unknown): Attack =>
  ({ who }) => {
    const [method, path = ""] = line.split(" ");
    return method === "GET" ? who[sub].ask(`/api/v1${path}`) : who[sub].act(`/api/v1${path}`, body);
  };

/** Attacks on and with sessions: the status, the actor of the event, and the kind of the problem. */
const attacks: Readonly<
  Record<string, readonly [status: number, actor: Sub | "?" | "weak", kind: string, attack: Attack]>
> = {
  "a form of another site": [
    403,
    "olga",
    "foreign_request",
    fromPage({ "sec-fetch-site": "cross-site", "content-type": form }, "a=b"),
  ],
  "a fetch of another site": [
    403,
    "olga",
    "foreign_request",
    fromPage(
      { "sec-fetch-site": "cross-site", origin: "https://evil.example", "content-type": "application/json" },
      "{}",
    ),
  ],
  "a page of a sibling domain": [403, "olga", "foreign_request", fromPage({ "sec-fetch-site": "same-site" })],
  "a link that the person typed": [403, "olga", "foreign_request", fromPage({ "sec-fetch-site": "none" })],
  "an old browser on another site": [403, "olga", "foreign_request", fromPage({ origin: "https://evil.example" })],
  "an origin that begins like the console's": [
    403,
    "olga",
    "foreign_request",
    (zone) => fromPage({ origin: `${zone.url}.evil.example` })(zone),
  ],
  "a page without an origin": [403, "olga", "foreign_request", fromPage({ origin: "null" })],
  "a script without headers": [403, "olga", "foreign_request", fromPage({})],
  "text that is JSON": [
    403,
    "olga",
    "foreign_request",
    fromPage({ "sec-fetch-site": "same-origin", "content-type": "text/plain" }, "{}"),
  ],
  "the console's own page with another origin": [
    403,
    "olga",
    "foreign_request",
    fromPage({ "sec-fetch-site": "same-origin", origin: "https://evil.example" }),
  ],
  "a read from another origin": [
    403,
    "olga",
    "foreign_request",
    ({ who }) => who.olga.ask("/api/v1/tasks", { headers: { origin: "https://evil.example" } }),
  ],
  "another host (DNS rebinding)": [
    403,
    "olga",
    "foreign_request",
    ({ who }) => who.olga.ask("/api/v1/tasks", { headers: { host: "evil.example" } }),
  ],
  "a changed cookie": [
    401,
    "?",
    "unauthorized",
    withCookie(({ who }) => who.olga.cookie().replaceAll(/.{3}(;|$)/g, "AAA$1")),
  ],
  "the digest as the cookie": [
    401,
    "?",
    "unauthorized",
    withCookie(({ who }) => `${cookie}=${tokenDigest(who.olga.jar.get(cookie) ?? "")}`),
  ],
  "two cookies": [
    401,
    "?",
    "unauthorized",
    withCookie(({ who }) => `${cookie}=x; ${cookie}=${who.olga.jar.get(cookie)}`),
  ],
  "the cookie under another name": [
    401,
    "?",
    "unauthorized",
    withCookie(({ who }) => `crosszone=${who.olga.jar.get(cookie)}`),
  ],
  "a session of another zone": [
    401,
    "?",
    "unauthorized",
    withCookie(async ({ other }) => (await other.as("adam")).cookie()),
  ],
  "an API token as the cookie": [401, "?", "unauthorized", withCookie(() => `${cookie}=${adminToken}`)],
  "a cookie as a token": [
    401,
    "?",
    "unauthorized",
    ({ send, url, who }) =>
      send(`${url}/api/v1/tasks`, { headers: { authorization: `Bearer ${who.olga.jar.get(cookie)}` } }),
  ],
  "a cookie after the sign-out": [
    401,
    "vera",
    "unauthorized",
    async ({ as, send, url }) => {
      const own = await as("vera");
      const kept = own.cookie();
      expect((await own.act("/auth/logout")).status).toBe(200);
      return send(`${url}/api/v1/tasks`, { headers: { cookie: kept } });
    },
  ],
  "a wrong token beside a good cookie": [
    401,
    "?",
    "unauthorized",
    ({ who }) => who.olga.ask("/api/v1/tasks", { headers: { authorization: `Bearer ${newTokenText()}` } }),
  ],
  "a token that lacks a scope of the cookie": [
    403,
    "weak",
    "missing_scope",
    async ({ who, send, url }) => {
      const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
      const body = JSON.stringify({ name: "weak", scopes: ["runs:read"], expires_in: 60 });
      const token = (
        JSON.parse((await send(`${url}/api/v1/tokens`, { method: "POST", headers, body })).body) as { token: string }
      ).token;
      return who.adam.ask("/api/v1/tokens", { headers: { authorization: `Bearer ${token}` } });
    },
  ],
  "a viewer who withdraws": [403, "vera", "missing_scope", doing("vera", `POST /input-requests/${asked}/withdraw`)],
  "a viewer who decides": [
    403,
    "vera",
    "missing_scope",
    doing("vera", `POST /input-requests/${asked}/answer`, approve),
  ],
  "a viewer who reads the audit log": [403, "vera", "missing_scope", doing("vera", "GET /audit/events")],
  "an operator who creates a token": [
    403,
    "olga",
    "missing_scope",
    doing("olga", "POST /tokens", { name: "up", scopes: ["runs:read"], expires_in: 60 }),
  ],
  "an operator who approves a tool": [403, "olga", "missing_scope", doing("olga", "POST /mcp-servers/wiki/approve")],
  "an admin who reads the audit log": [403, "adam", "missing_scope", doing("adam", "GET /audit/events")],
  "an admin who creates a token that reads content": [
    403,
    "adam",
    "above_creator",
    doing("adam", "POST /tokens", { name: "up", scopes: ["content:read"], expires_in: 60 }),
  ],
  "an auditor who withdraws": [403, "aude", "missing_scope", doing("aude", `POST /input-requests/${asked}/withdraw`)],
  "a member of a group who decides": [
    403,
    "olga",
    "not_a_decider",
    doing("olga", `POST /input-requests/${asked}/answer`, approve),
  ],
  "a person who decides for another": [
    422,
    "olga",
    "invalid_answer",
    doing("olga", `POST /input-requests/${asked}/answer`, { ...approve, by: { user_id: "U_BOB", groups: [] } }),
  ],
  "a person without a Slack user who decides": [
    403,
    "adam",
    "not_a_decider",
    doing("adam", `POST /input-requests/${asked}/answer`, approve),
  ],
  "a sign-out from another site": [
    403,
    "olga",
    "",
    ({ who }) => who.olga.ask("/auth/logout", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }),
  ],
};

async function startSigned(database: string): Promise<Signed> {
  const [zone, other] = [await startSignIn(database), await startSignIn()];
  const { requests } = zone.zone.inputs;
  // Olga asked, and is in the group that decides. The provider does not say so, and would not count.
  await requests.ask(newInput({ requester: "U0OLGA", body: "planted", action: payment(1) }));
  const subs = ["vera", "olga", "adam", "aude"] as const;
  const who = Object.fromEntries(await Promise.all(subs.map(async (sub) => [sub, sub] as const)));
  for (const sub of subs) who[sub] = (await zone.as(sub)) as never;
  return { ...zone, other, who: who as never };
}

onBothEngines("sessions", (newDatabase) => {
  test("W16: each attack on and with a session is rejected, with an event that names the person", async () => {
    const zone = await startSigned(await newDatabase());
    const got: Record<string, unknown> = {};
    for (const [name, [status, actor, kind, attack]] of Object.entries(attacks)) {
      const before = (await zone.rejections()).length;
      const answer = await attack(zone);
      const events = (await zone.rejections()).slice(before);
      // A rejected vote is an event of the request too.
      const event = events.findLast(({ action }) => action !== "input.decide");
      const named = event?.actor.id.split(" ").at(-1);
      const wrong = [
        answer.status !== status && `status ${answer.status}: ${answer.body}`,
        named !== actor && `actor ${named}`,
        kind !== "" && event?.details?.["kind"] !== kind && `kind ${String(event?.details?.["kind"])}`,
        answer.body.includes("planted") && "content",
      ].filter((one) => one !== false);
      if (wrong.length > 0) got[name] = wrong;
    }
    expect(got).toEqual({});
    expect((await zone.zone.inputs.requests.find(asked))?.request).toMatchObject({ state: "open", votes: [] });
  });

  test("W16: content is shown only to its groups, and each reading of it is an event of the person", async () => {
    const { who, zone } = await startSigned(await newDatabase());
    const path = `/api/v1/input-requests/${asked}`;
    expect((await who.adam.ask(path)).body).not.toMatch(/planted|euros/);
    expect((await who.olga.ask(path)).body).toMatch(/planted.*euros/);
    const reads = (await zone.acts()).filter(({ action }) => action === "content.read");
    expect(
      reads.map(({ actor, surface, content }) => [
        actor.type,
        actor.id.split(" ")[1],
        surface,
        Object.keys(content ?? {}),
      ]),
    ).toEqual([["person", "olga", "page", ["address", "client", "name"]]]);
  });

  test("a session ends when nobody uses it, and at its limit, also for a busy person", async () => {
    const { as, zone } = await startSignIn(await newDatabase(), { session: { idle: "10m", absolute: "1h" } });
    const { db } = zone.database;
    const age = (column: "created_at" | "seen_at", minutes: number) =>
      db
        .updateTable("session")
        .set((eb) => ({ [column]: eb(column, "-", minutes * 60_000) }))
        .execute();
    const own = await as("vera");
    const status = async () => (await own.ask("/api/v1/tasks")).status;
    await age("seen_at", 9);
    expect(await status()).toBe(200);
    // The request counted.
    await age("seen_at", 9);
    expect(await status()).toBe(200);
    await age("seen_at", 11);
    expect([await status(), (await own.ask("/auth/session")).status]).toEqual([401, 401]);
    const busy = await as("vera");
    await age("created_at", 61);
    expect((await busy.ask("/api/v1/tasks")).status).toBe(401);
    expect((await zone.acts()).at(-1)).toMatchObject({ actor: { type: "person" }, details: { token: "expired" } });
  });
});
