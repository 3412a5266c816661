// suite: both
import { newTokenText, tokenDigest } from "@crosszone/admin-api";
import { adminToken } from "@crosszone/admin-api/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newInput, payment } from "../../testing/new-input.ts";
import { type StartedSignIn, startSignIn, type TestBrowser } from "../../testing/start-sign-in.ts";

const cookie = "__Host-crosszone";
const asked = newInput().request_id;
const approve = { answer: { verdict: "approve" } };
const [form, json, evil] = ["application/x-www-form-urlencoded", "application/json", "https://evil.example"];
const newToken = (scope: string) => ({ name: "up", scopes: [scope], expires_in: 60 });

type Signing = "vera" | "olga" | "adam";
type Signed = StartedSignIn & { readonly who: Readonly<Record<Signing, TestBrowser>>; readonly other: StartedSignIn };
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
  (sub: Signing, line: string, body?: unknown): Attack =>
  ({ who }) => {
    const [method, path = ""] = line.split(" ");
    return method === "GET" ? who[sub].ask(`/api/v1${path}`) : who[sub].act(`/api/v1${path}`, body);
  };

/** Attacks on and with sessions, by the status, the actor of the event, and the kind of the problem. */
const attacks: Readonly<Record<string, Readonly<Record<string, Attack>>>> = {
  "403 olga foreign_request": {
    "a form of another site": fromPage({ "sec-fetch-site": "cross-site", "content-type": form }, "a=b"),
    "a fetch of another site": fromPage({ "sec-fetch-site": "cross-site", origin: evil, "content-type": json }, "{}"),
    "a page of a sibling domain": fromPage({ "sec-fetch-site": "same-site" }),
    "a link that the person typed": fromPage({ "sec-fetch-site": "none" }),
    "an old browser on another site": fromPage({ origin: evil }),
    "an origin that begins like the console's": (zone) => fromPage({ origin: `${zone.url}.evil.example` })(zone),
    "a page without an origin": fromPage({ origin: "null" }),
    "a script without headers": fromPage({}),
    "text that is JSON": fromPage({ "sec-fetch-site": "same-origin", "content-type": "text/plain" }, "{}"),
    "the console's own page with another origin": fromPage({ "sec-fetch-site": "same-origin", origin: evil }),
    "a read from another origin": ({ who }) => who.olga.ask("/api/v1/tasks", { headers: { origin: evil } }),
    "another host (DNS rebinding)": ({ who }) => who.olga.ask("/api/v1/tasks", { headers: { host: "evil.example" } }),
  },
  "403 olga": {
    "a sign-out from another site": ({ who }) =>
      who.olga.ask("/auth/logout", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }),
  },
  "401 ? unauthorized": {
    "a changed cookie": withCookie(({ who }) => who.olga.cookie().replaceAll(/.{3}(;|$)/g, "AAA$1")),
    "the digest as the cookie": withCookie(({ who }) => `${cookie}=${tokenDigest(who.olga.jar.get(cookie) ?? "")}`),
    "two cookies": withCookie(({ who }) => `${cookie}=x; ${cookie}=${who.olga.jar.get(cookie)}`),
    "the cookie under another name": withCookie(({ who }) => `crosszone=${who.olga.jar.get(cookie)}`),
    "a session of another zone": withCookie(async ({ other }) => (await other.as("adam")).cookie()),
    "an API token as the cookie": withCookie(() => `${cookie}=${adminToken}`),
    "a cookie as a token": ({ send, url, who }) =>
      send(`${url}/api/v1/tasks`, { headers: { authorization: `Bearer ${who.olga.jar.get(cookie)}` } }),
    "a wrong token beside a good cookie": ({ who }) =>
      who.olga.ask("/api/v1/tasks", { headers: { authorization: `Bearer ${newTokenText()}` } }),
  },
  "401 vera unauthorized": {
    "a cookie after the sign-out": async ({ as, send, url }) => {
      const own = await as("vera");
      const kept = own.cookie();
      expect((await own.act("/auth/logout")).status).toBe(200);
      return send(`${url}/api/v1/tasks`, { headers: { cookie: kept } });
    },
  },
  "403 weak missing_scope": {
    "a token that lacks a scope of the cookie": async ({ who, send, url }) => {
      const headers = { authorization: `Bearer ${adminToken}`, "content-type": json };
      const body = JSON.stringify({ name: "weak", scopes: ["runs:read"], expires_in: 60 });
      const created = await send(`${url}/api/v1/tokens`, { method: "POST", headers, body });
      const { token } = JSON.parse(created.body) as { token: string };
      return who.adam.ask("/api/v1/tokens", { headers: { authorization: `Bearer ${token}` } });
    },
  },
  "403 vera missing_scope": {
    "a viewer who withdraws": doing("vera", `POST /input-requests/${asked}/withdraw`),
  },
  "403 adam above_creator": {
    "an admin who creates a token that reads content": doing("adam", "POST /tokens", newToken("content:read")),
  },
  "403 olga not_a_decider": {
    "the requester, and a member of the group": doing("olga", `POST /input-requests/${asked}/answer`, approve),
  },
  "403 adam not_a_decider": {
    "a person without a Slack user": doing("adam", `POST /input-requests/${asked}/answer`, approve),
  },
};

async function startSigned(database: string): Promise<Signed> {
  const [zone, other] = [await startSignIn(database), await startSignIn()];
  const { requests } = zone.zone.inputs;
  // Olga asked, and is in the group that decides. The provider does not say so, and would not count.
  await requests.ask(newInput({ requester: "U0OLGA", body: "planted", action: payment(1) }));
  const [vera, olga, adam] = [await zone.as("vera"), await zone.as("olga"), await zone.as("adam")];
  return { ...zone, other, who: { vera, olga, adam } };
}

onBothEngines("sessions", (newDatabase) => {
  test("W16: each attack on and with a session is rejected, with an event that names the person", async () => {
    const zone = await startSigned(await newDatabase());
    const got: Record<string, unknown> = {};
    for (const [expected, some] of Object.entries(attacks))
      for (const [name, attack] of Object.entries(some)) {
        const before = (await zone.rejections()).length;
        const { status, body } = await attack(zone);
        // A rejected vote is an event of the request too.
        const event = (await zone.rejections()).slice(before).findLast(({ action }) => action !== "input.decide");
        const { kind = "" } = event?.details ?? {};
        const is = `${status} ${event?.actor.id.split(" ").at(-1)} ${String(kind)}`.trim();
        if (is !== expected || body.includes("planted")) got[name] = `${is}: ${body}`;
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

  test("an idle session ends, and a busy one ends at its limit", async () => {
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
    expect([await status(), (await own.ask("/api/v1/session")).status]).toEqual([401, 401]);
    const busy = await as("vera");
    await age("created_at", 61);
    expect((await busy.ask("/api/v1/tasks")).status).toBe(401);
    expect((await zone.acts()).at(-1)).toMatchObject({ actor: { type: "person" }, details: { token: "expired" } });
  });
});
