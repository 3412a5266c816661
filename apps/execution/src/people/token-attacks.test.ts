// suite: both
import { request as httpRequest } from "node:http";
import { newTokenText, tokenDigest } from "@crosszone/admin-api";
import { adminToken } from "@crosszone/admin-api/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { createCheckToken } from "./token-store.ts";
import { inputId, startTokens } from "../testing/start-ask.ts";

const day = 86_400;

type Started = Awaited<ReturnType<typeof startTokens>>;
type Attack = (zone: Started & { readonly root: string }) => Promise<number>;

const statusOf = async (answer: ReturnType<Started["ask"]>): Promise<number> => (await answer).status;
const reading = ({ ask, as }: Started, token: string) => statusOf(ask("GET /input-requests", undefined, as(token)));
const creating =
  (body: object): Attack =>
  ({ ask, as, root }) =>
    statusOf(ask("POST /tokens", { name: "new", scopes: ["ask"], expires_in: 60, ...body }, as(root)));

/** Sends raw headers, which `fetch` would join or refuse. */
const withHeaders = ({ url }: Started, ...headers: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/input-requests`, { headers: ["host", "zone", ...headers] }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });

/** Attacks on tokens and scopes, with the actor and status of their refusal. */
const attacks: Readonly<Record<string, readonly [actor: string, status: number, attack: Attack]>> = {
  "a wrong checksum": ["unknown", 401, (zone) => reading(zone, `${zone.root.slice(0, -1)}!`)],
  "a cut token": ["unknown", 401, (zone) => reading(zone, zone.root.slice(0, 20))],
  "an unknown token": ["unknown", 401, (zone) => reading(zone, newTokenText())],
  "the digest as a token": ["unknown", 401, (zone) => reading(zone, tokenDigest(zone.root))],
  "SQL text as a token": ["unknown", 401, (zone) => reading(zone, "'or'1'='1")],
  "no token": ["unknown", 401, ({ ask }) => statusOf(ask("GET /tokens", undefined, { authorization: "" }))],
  "another scheme": [
    "unknown",
    401,
    ({ ask, root }) => statusOf(ask("GET /tokens", undefined, { authorization: `Token ${root}` })),
  ],
  "whitespace within the token": ["unknown", 401, (zone) => reading(zone, zone.root.replace("_", "_ "))],
  "a token in the query string": ["unknown", 401, (zone) => withHeadersOf(zone, `?access_token=${zone.root}`)],
  "two Authorization headers": [
    "unknown",
    401,
    (zone) => withHeaders(zone, "authorization", `Bearer ${zone.root}`, "authorization", "Bearer other"),
  ],
  "a lower-case scheme does not help an unknown token": [
    "unknown",
    401,
    (zone) => withHeaders(zone, "authorization", `bearer ${newTokenText()}`),
  ],
  "a token that expires at this millisecond": [
    "token:late (expired)",
    401,
    async (zone) => {
      const token = await zone.create("late", ["runs:read"], { by: zone.root });
      const at = { expires_at: Date.now() };
      await zone.database.db.updateTable("api_token").set(at).where("name", "=", "late").execute();
      return reading(zone, token);
    },
  ],
  "a token revoked between two requests": [
    "token:gone (revoked)",
    401,
    async (zone) => {
      const token = await zone.create("gone", ["runs:read"], { by: zone.root });
      expect(await reading(zone, token)).toBe(200);
      expect((await zone.ask("DELETE /tokens/gone", undefined, zone.as(zone.root))).status).toBe(204);
      return reading(zone, token);
    },
  ],
  "a token after it revoked itself": [
    "token:self (revoked)",
    401,
    async (zone) => {
      const token = await zone.create("self", ["tokens:write"], { by: zone.root });
      expect((await zone.ask("DELETE /tokens/self", undefined, zone.as(token))).status).toBe(204);
      return reading(zone, token);
    },
  ],
  "ADMIN_TOKENS after the first tokens:write": ["bootstrap", 403, (zone) => reading(zone, adminToken)],
  "HEAD without the scope": [
    "token:head",
    403,
    async ({ url, as, create, root }) => {
      const headers = as(await create("head", ["content:read"], { by: root }));
      return (await fetch(`${url}/input-requests/${inputId}`, { method: "HEAD", headers })).status;
    },
  ],
  "an answer with a token that the deciders don't name": [
    "token:voter",
    403,
    async ({ ask, as, create, root }) => {
      const voter = as(await create("voter", ["runs:act"], { by: root }));
      return statusOf(ask(`POST /input-requests/${inputId}/answer`, { answer: { verdict: "deny" } }, voter));
    },
  ],
  "a scope above the creator's": [
    "token:maker",
    403,
    async ({ ask, as, create, root }) => {
      const maker = as(await create("maker", ["tokens:write", "ask"], { by: root }));
      return statusOf(ask("POST /tokens", { name: "up", scopes: ["ask", "runs:act"], expires_in: 60 }, maker));
    },
  ],
  "an expiry later than the creator's": ["token:root", 403, creating({ expires_in: 366 * day })],
  "an expiry at a date later than the creator's": [
    "token:root",
    403,
    creating({ expires_in: undefined, expires_at: "2999-01-01T00:00:00Z" }),
  ],
  "an expiry at a leap second later than the creator's": [
    "token:root",
    403,
    creating({ expires_in: undefined, expires_at: "2998-12-31T23:59:60" }),
  ],
  "a name that exists": ["token:root", 409, creating({ name: "root" })],
  "the name of a revoked token": [
    "token:root",
    409,
    async (zone) => {
      await zone.create("once", ["ask"], { by: zone.root });
      expect((await zone.ask("DELETE /tokens/once", undefined, zone.as(zone.root))).status).toBe(204);
      return creating({ name: "once" })(zone);
    },
  ],
  "the name bootstrap": ["token:root", 422, creating({ name: "bootstrap" })],
  "an expiry in the past": ["token:root", 422, creating({ expires_in: undefined, expires_at: "2020-01-01T00:00:00Z" })],
  "no expiry": ["token:root", 422, creating({ expires_in: undefined })],
  "two expiries": ["token:root", 422, creating({ expires_at: "2030-01-01T00:00:00Z" })],
  "revoking an unknown token": [
    "token:root",
    404,
    ({ ask, as, root }) => statusOf(ask("DELETE /tokens/%25", undefined, as(root))),
  ],
};

const withHeadersOf = async ({ url }: Started, query: string): Promise<number> =>
  (await fetch(`${url}/input-requests${query}`)).status;

onBothEngines("API tokens", (newDatabase) => {
  test("each attack on tokens and scopes is rejected and reported", async () => {
    const zone = await startTokens(await newDatabase());
    const scopes = ["ask", "runs:read", "runs:act", "content:read", "tokens:write"] as const;
    const root = await zone.create("root", scopes, { expires_in: 86_400 });
    for (const [name, [actor, status, attack]] of Object.entries(attacks)) {
      expect([name, await attack({ ...zone, root })]).toEqual([name, status]);
      expect([name, zone.refusals.at(-1)?.act]).toMatchObject([name, { actor, status }]);
      const logged = (await zone.audited()).findLast(({ outcome }) => outcome === "rejected");
      expect([name, JSON.parse(logged?.event ?? "")]).toMatchObject([
        name,
        { action: "api.request", details: { status } },
      ]);
      expect([name, logged?.actor]).toEqual([
        name,
        { unknown: "token:?", bootstrap: "bootstrap:bootstrap" }[actor] ?? actor.replace(/ \(.*/, ""),
      ]);
    }
    expect((await zone.audited()).filter(({ outcome }) => outcome === "rejected")).toHaveLength(
      Object.keys(attacks).length,
    );
    expect(JSON.stringify([zone.refusals, zone.events, await zone.audited()])).not.toContain(root);
  });

  test("O3: a token is stored as a digest, names its holder, and shows when and from where it was used", async () => {
    const { ask, create, as, audited, events, database, uses } = await startTokens(await newDatabase());
    const root = await create("root", ["tokens:write", "runs:read", "runs:read"]);
    expect(root).toMatch(/^xz_[\w-]{38}$/);
    const list = () => ask("GET /tokens", undefined, as(root));
    const token = { name: "root", scopes: ["tokens:write", "runs:read"], created_by: "bootstrap" };
    expect((await list()).body).toMatchObject({ tokens: [token] });
    await uses.close();
    const from = { address: "127.0.0.1", client: expect.any(String) };
    expect((await list()).body?.["tokens"]).toMatchObject([{ last_used_at: expect.any(String), last_used_from: from }]);
    const rows = await database.db.selectFrom("api_token").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(root);
    await list();
    expect(await database.db.selectFrom("api_token").selectAll().execute()).toEqual(rows);
    expect((await ask("DELETE /tokens/root", undefined, as(root))).status).toBe(204);
    expect((await audited()).map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ["token.create", "bootstrap:bootstrap", "token:root"],
      ["token.use", "bootstrap:bootstrap", "bootstrap:bootstrap"],
      ["token.use", "token:root", "token:root"],
      ["token.revoke", "token:root", "token:root"],
    ]);
    expect(events.map(([event, fields]) => [event, fields["by"]])).toContainEqual(["token_revoked", "token:root"]);
  });

  test("ADMIN_TOKENS work again when the last token with tokens:write is revoked or expires", async () => {
    const zone = await startTokens(await newDatabase());
    const { ask, as, create, database } = zone;
    const root = await create("root", ["tokens:write"]);
    const refused = await ask("GET /tokens");
    expect(refused.body?.["detail"]).toBe(
      "ADMIN_TOKENS only work until a live token has the scope tokens:write. Use that token.",
    );
    await ask("DELETE /tokens/root", undefined, as(root));
    expect((await ask("GET /tokens")).body).toEqual({ tokens: [] });
    await create("second", ["tokens:write"]);
    expect((await ask("GET /tokens")).status).toBe(403);
    await database.db.updateTable("api_token").set({ expires_at: Date.now() }).execute();
    await create("third", ["ask"]);
  });

  test("a mistyped token is told apart without the database", async () => {
    const { url, create, as, database } = await startTokens(await newDatabase());
    const token = await create("ci", ["runs:read"]);
    await database.close();
    const mistyped = await fetch(`${url}/tokens`, { headers: as(token.replace(/.$/, "!")) });
    expect(await mistyped.json()).toMatchObject({ status: 401, detail: expect.stringContaining("checksum") });
    expect((await fetch(`${url}/tokens`, { headers: as(token) })).status).not.toBe(401);
  });

  test("the zone link checks tokens by their digest", async () => {
    const { create, stored } = await startTokens(await newDatabase());
    const [reader, all] = [await create("reader", ["runs:read"]), await create("all", ["runs:read", "content:read"])];
    const check = createCheckToken({ tokens: () => [adminToken], stored });
    expect(await check({ digest: tokenDigest(reader), scope: "runs:read" })).toEqual({ name: "reader" });
    expect(await check({ digest: tokenDigest(adminToken), scope: "runs:read" })).toEqual({ name: "bootstrap" });
    for (const [token, scope] of [
      [reader, "content:read"],
      [newTokenText(), "runs:read"],
    ] as const)
      await expect(check({ digest: tokenDigest(token), scope })).rejects.toMatchObject({ kind: "unauthorized" });
    // At once, because concurrent requests share a read.
    const found = await Promise.all(
      [reader, newTokenText(), all, reader].map((token) => stored.find(tokenDigest(token))),
    );
    expect(found.map((holder) => holder?.actor)).toEqual(["token:reader", undefined, "token:all", "token:reader"]);
  });
});
