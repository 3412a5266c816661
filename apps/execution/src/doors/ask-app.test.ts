// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newTokenText } from "@crosszone/admin-api";
import { adminToken } from "@crosszone/admin-api/testing";
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { isProgramsSection } from "@crosszone/contracts";
import { mayUse } from "../tasks/ask/asker.ts";
import { askUrl, issuer, other, startAsk, type StartedAsk } from "../testing/start-ask.ts";

type Attack = (zone: StartedAsk) => Promise<{ readonly status: number }>;

const mcp = async ({ send, bearer }: StartedAsk, token: string | Promise<string>) =>
  send("/mcp", { headers: bearer(await token) });
const seconds = (from: number): number => Math.floor(Date.now() / 1_000) + from;
const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const good = { sub: "robot", aud: askUrl, iss: issuer };

const minted =
  (claims: Record<string, unknown>): Attack =>
  (zone) =>
    mcp(zone, zone.mint(claims));

/** Signs with the public key of the issuer as if it were a shared secret. */
async function hmacWithPublicKey({ idp }: StartedAsk): Promise<string> {
  const key = await importJWK(idp.keys().keys[0] ?? {}, "RS256");
  const secret = new TextEncoder().encode(await exportSPKI(key as CryptoKey));
  const token = new SignJWT(good).setProtectedHeader({ alg: "HS256", kid: "key-1" }).setExpirationTime("1h");
  return token.sign(secret);
}

const valid = ({ create }: StartedAsk, name: string): Promise<string> => create(name, ["ask"]);

/** Sends a valid token with other headers, or to another path. */
const sending =
  (path: string, host?: string, ...headers: readonly string[]): Attack =>
  async (zone) =>
    zone.send(path, { headers: [...zone.bearer(await zone.mint()), ...headers], ...(host !== undefined && { host }) });

/**
 * Attacks on the listener for programs: the status of the answer, and the actor and reason in the audit log, which has nothing of requests that
 * reach no route.
 */
const attacks: Readonly<Record<string, readonly [status: number, audited: string | undefined, attack: Attack]>> = {
  "no token": [401, "? credentials_missing", ({ send }) => send("/mcp")],
  "two Authorization headers": [
    401,
    "? credentials_missing",
    async (zone) =>
      zone.send("/a2a/builtin", { headers: [...zone.bearer(await valid(zone, "two")), ...zone.bearer("other")] }),
  ],
  "two dots in the path": [401, "? credentials_missing", ({ send }) => send("/a2a/../api/v1/runs")],
  "an unknown token": [401, "? token_wrong", (zone) => mcp(zone, newTokenText())],
  "a revoked token": [
    401,
    "gone token_wrong",
    async (zone) => {
      const token = await valid(zone, "gone");
      await zone.ask("DELETE /tokens/gone");
      return mcp(zone, token);
    },
  ],
  "an expired API token": [
    401,
    "late token_wrong",
    async (zone) => {
      const token = await valid(zone, "late");
      const at = { expires_at: Date.now() };
      await zone.database.db.updateTable("api_token").set(at).where("name", "=", "late").execute();
      return mcp(zone, token);
    },
  ],
  "a token with every scope but ask": [
    403,
    "reader missing_scope",
    async (zone) => mcp(zone, zone.create("reader", ["runs:read", "runs:act", "content:read", "agents:write"])),
  ],
  "one of ADMIN_TOKENS": [403, "bootstrap missing_scope", (zone) => mcp(zone, adminToken)],
  "another audience": [401, "? token_wrong_audience", minted({ aud: "https://api.example.com" })],
  "the audience of the other protocol": [401, "? token_wrong_audience", minted({ aud: `${askUrl}/a2a` })],
  "an audience that begins as ours": [401, "? token_wrong_audience", minted({ aud: `${askUrl}.evil.example` })],
  "no audience": [401, "? token_wrong_audience", minted({ aud: undefined })],
  "our audience of an issuer with its own": [
    401,
    "? token_wrong_audience",
    (zone) => mcp(zone, zone.stranger.mint({ ...good, iss: other })),
  ],
  "another issuer": [401, "? token_wrong_issuer", minted({ iss: "https://evil.example" })],
  "an issuer with a slash more": [401, "? token_wrong_issuer", minted({ iss: `${issuer}/` })],
  "no issuer": [401, "? token_wrong_issuer", minted({ iss: undefined })],
  "a key of an issuer under the name of another": [
    401,
    "? signature_wrong",
    (zone) => mcp(zone, zone.stranger.mint(good)),
  ],
  "no signature": [
    401,
    "? token_wrong_algorithm",
    (zone) => mcp(zone, new UnsecuredJWT(good).setExpirationTime("1h").encode()),
  ],
  "the public key as a shared secret": [401, "? token_wrong_algorithm", (zone) => mcp(zone, hmacWithPublicKey(zone))],
  "changed claims": [
    401,
    "? signature_wrong",
    async (zone) => {
      const [head, , signature] = (await zone.mint({ sub: "nobody" })).split(".");
      return mcp(zone, [head, text({ ...good, exp: seconds(60) }), signature].join("."));
    },
  ],
  "an unknown key": [
    401,
    "? token_unknown_key",
    async (zone) => {
      const [, ...rest] = (await zone.mint()).split(".");
      return mcp(zone, [text({ alg: "RS256", kid: "key-9" }), ...rest].join("."));
    },
  ],
  "an expired token": [401, "? token_expired", minted({ exp: seconds(-60) })],
  "a token without an end": [401, "? token_malformed", minted({ exp: undefined })],
  "a token from the future": [401, "? token_not_yet_valid", minted({ nbf: seconds(120) })],
  "no subject": [401, "? token_malformed", minted({ sub: undefined })],
  "a subject of 1,000 characters": [401, "? token_malformed", minted({ sub: "x".repeat(1_000) })],
  "text with two dots": [401, "? token_wrong_issuer", (zone) => mcp(zone, "a.b.c")],
  "a rebound host": [403, undefined, sending("/mcp", "evil.example:4100")],
  "a host that begins as ours": [403, undefined, sending("/mcp", "ask.example.com.evil.example")],
  "a host with our name as the user": [403, undefined, sending("/mcp", "localhost@evil.example")],
  "no host": [403, undefined, sending("/mcp", "")],
  "a page of another site": [403, undefined, sending("/mcp", undefined, "origin", "https://evil.example")],
  "a page without an origin": [403, undefined, sending("/mcp", undefined, "origin", "null")],
  "a forwarded host in front of a bad one": [
    403,
    undefined,
    sending("/mcp", "evil.example", "x-forwarded-host", "localhost", "forwarded", "host=localhost"),
  ],
  "the zone link": [404, undefined, sending("/rpc")],
  "the zone link of a platform": [404, undefined, sending("/invocations")],
  "the API": [404, undefined, sending("/api/v1/runs")],
  "the metrics": [404, undefined, (zone) => zone.send("/metrics", { method: "GET" })],
  "the card of the zone": [404, undefined, (zone) => zone.send("/.well-known/agent-card.json", { method: "GET" })],
  "another path by an absolute address": [404, undefined, sending("http://localhost/api/v1/runs")],
  "upper case": [404, undefined, sending("/MCP")],
  "a double slash": [404, undefined, sending("//mcp")],
  "a broken escape": [404, undefined, sending("/%E0%A4%A")],
  "headers of 20 kB": [431, undefined, sending("/mcp", undefined, "x-long", "x".repeat(20_000))],
};

onBothEngines("the listener for programs", (newDatabase) => {
  test("C3: each attack gets a JSON error, and those that reach a route are audited", async () => {
    const zone = await startAsk(await newDatabase());
    for (const [name, [status, audited, attack]] of Object.entries(attacks)) {
      const before = (await zone.rejections()).length;
      expect.soft([name, await attack(zone)]).toMatchObject([name, { status, body: { error: {} } }]);
      const [event, ...more] = (await zone.rejections()).slice(before);
      const seen = event && `${event.actor.id} ${event.details?.["because"]} ${event.surface} ${event.outcome}`;
      const surface = name.startsWith("two ") ? "a2a" : "mcp";
      expect.soft([name, seen, more]).toEqual([name, audited && `${audited} ${surface} rejected`, []]);
    }
    expect(JSON.stringify(await zone.rejections())).not.toMatch(/eyJ|xz_/);
  });
});

test("O3: programs are known by their token or subject, may do what their entry says, and leave a use", async () => {
  const { send, bearer, create, mint, stranger, uses } = await startAsk("sqlite::memory:");
  const as = async (token: Promise<string> | string, path = "/mcp") =>
    (await send(path, { headers: bearer(await token) })).body;
  const nothing = { agents: [], openTasks: 10, perMinute: 60 };
  const ci = await create("ci", ["ask"]);
  const from = { address: "127.0.0.1", client: "none" };
  expect(await as(ci)).toEqual({
    actor: "token:ci",
    from,
    agents: ["builtin"],
    openTasks: 10,
    perMinute: 100,
    budget: "bots",
  });
  expect(await as(ci, "/a2a/builtin")).toMatchObject({ actor: "token:ci" });
  expect(await as(create("other", ["ask", "runs:read"]))).toEqual({ actor: "token:other", from, ...nothing });
  const robot = { actor: `subject:${issuer} robot`, agents: ["*"], openTasks: 3 };
  for (const aud of [askUrl, `${askUrl}/`, `${askUrl}/mcp`, ["x", askUrl]])
    expect(await as(mint({ aud }))).toMatchObject(robot);
  expect(await as(mint({ aud: `${askUrl}/a2a` }), "/a2a/builtin")).toMatchObject(robot);
  expect(await as(mint({ sub: "someone" }))).toMatchObject({ actor: `subject:${issuer} someone`, ...nothing });
  await uses.close();
  expect(await uses.list({ actor: robot.actor, limit: 10 })).toMatchObject([{ ...from, uses: 5 }]);
  const dev = { sub: "u1", email: "dev@example.com" };
  expect(await as(mint({ ...dev, email_verified: true }))).toMatchObject({ agents: ["builtin"] });
  expect(await as(mint(dev))).toMatchObject({ agents: [] });
  const named = { iss: "https://other.example.com", aud: "crosszone", sub: "robot" };
  expect(await as(stranger.mint(named))).toMatchObject({
    actor: "subject:https://other.example.com robot",
    ...nothing,
  });
});

test("a rejected program learns where to get a token", async () => {
  const { send, bearer, create } = await startAsk("sqlite::memory:");
  const metadata = `resource_metadata="${askUrl}/.well-known/oauth-protected-resource/mcp"`;
  const challenge = async (headers: readonly string[]) => (await send("/mcp", { headers })).headers["www-authenticate"];
  expect(await challenge([])).toBe(`Bearer scope="ask", ${metadata}`);
  expect(await challenge(bearer("xz_no"))).toBe(`Bearer error="invalid_token", scope="ask", ${metadata}`);
  expect(await challenge(bearer(await create("act", ["runs:act"])))).toBe(
    `Bearer error="insufficient_scope", scope="ask", ${metadata}`,
  );
  for (const path of ["", "/mcp", "/a2a"])
    expect((await send(`/.well-known/oauth-protected-resource${path}`, { method: "GET" })).body).toEqual({
      resource: askUrl + path,
      resource_name: "Crosszone",
      authorization_servers: [issuer, "https://other.example.com"],
      scopes_supported: ["ask"],
      bearer_methods_supported: ["header"],
    });
});

test("without ASK_URL the metadata has the host of the request, which is this machine", async () => {
  const { send, bearer, mint } = await startAsk("sqlite::memory:", {});
  const forwarded = ["x-forwarded-host", "evil.example", "x-forwarded-proto", "https"];
  const { headers } = await send("/mcp", { host: "127.0.0.1:7", headers: forwarded });
  expect(headers["www-authenticate"]).toContain('resource_metadata="http://127.0.0.1:7/.well-known/');
  expect((await send("/mcp", { headers: bearer(await mint()) })).status).toBe(200);
  expect((await send("/mcp", { host: "ask.example.com" })).status).toBe(403);
  expect(await send("/healthz", { method: "GET", host: "10.0.0.7:4100" })).toMatchObject({
    status: 200,
    body: { status: "ok" },
  });
});

test("each program has a rate of its own, and a flood of one fills no log", async () => {
  const began = performance.now();
  const { send, bearer, create, rejections } = await startAsk("sqlite::memory:");
  const slow = bearer(await create("slow", ["ask"]));
  const statuses = async (count: number, headers: readonly string[]) =>
    Promise.all(Array.from({ length: count }, async () => (await send("/mcp", { headers })).status));
  expect((await statuses(5, slow)).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429]);
  const refused = await send("/mcp", { headers: slow });
  expect(refused).toMatchObject({ body: { error: { data: { kind: "rate_limited" } } } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(20);
  expect(await statuses(1, bearer(await create("ci", ["ask"])))).toEqual([200]);
  await Promise.all([statuses(150, []), statuses(150, slow)]);
  const actors = (await rejections()).map(({ actor }) => actor.id);
  // One more a second.
  const most = 61 + (performance.now() - began) / 1_000;
  for (const id of ["?", "slow"]) expect(actors.filter((actor) => actor === id).length).toBeLessThanOrEqual(most);
});

test("what a program may not do is audited when the routes say so", async () => {
  const { served, rejections } = await startAsk("sqlite::memory:");
  const asker = { actor: `subject:${issuer} robot`, agents: [], openTasks: 1 };
  served[0]?.rejected?.(asker, "a2a", { action: "ask.send", because: "agent_not_allowed" });
  await expect.poll(rejections).toMatchObject([
    {
      action: "ask.send",
      actor: { type: "subject", id: `${issuer} robot` },
      details: { because: "agent_not_allowed" },
      surface: "a2a",
      outcome: "rejected",
    },
  ]);
});

test("X20: over the API a listed token uses what its entry lists, and the event of a hook is nobody else's", () => {
  const askers = [
    { token: "ci", agents: ["builtin"], events: ["paid"] },
    { token: "all", agents: ["*"] },
  ];
  const settings = isProgramsSection.filled({ askers });
  const may = (actor: string, ...[kind, name, isClosed = false]: ["agents" | "events", string, boolean?]): boolean =>
    mayUse(settings, actor, { kind, name, isClosed });
  expect([may("token:ci", "agents", "builtin"), may("token:ci", "agents", "pay")]).toEqual([true, false]);
  expect([may("token:ci", "events", "paid", true), may("token:ci", "events", "shipped")]).toEqual([true, false]);
  expect([may("token:all", "agents", "pay"), may("token:all", "events", "paid")]).toEqual([true, false]);
  for (const actor of ["token:other", "bootstrap", "person:iss bob"])
    expect([may(actor, "agents", "pay"), may(actor, "events", "paid"), may(actor, "events", "paid", true)]).toEqual([
      true,
      true,
      false,
    ]);
});
