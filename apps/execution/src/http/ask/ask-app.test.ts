import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { attacks } from "../../testing/ask-attacks.ts";
import { askUrl, issuer, startAsk } from "../../testing/start-ask.ts";

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
  const { send, bearer, create, rejections } = await startAsk("sqlite::memory:");
  const slow = bearer(await create("slow", ["ask"]));
  const statuses = async (count: number, headers: readonly string[]) =>
    Promise.all(Array.from({ length: count }, async () => (await send("/mcp", { headers })).status));
  expect((await statuses(5, slow)).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429]);
  const refused = await send("/mcp", { headers: slow });
  expect(refused).toMatchObject({ body: { error: { data: { kind: "rate_limited" } } } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(20);
  expect(await statuses(1, bearer(await create("ci", ["ask"])))).toEqual([200]);
  await Promise.all([statuses(100, []), statuses(100, slow)]);
  const actors = (await rejections()).map(({ actor }) => actor.id);
  for (const id of ["?", "slow"]) expect(actors.filter((actor) => actor === id).length).toBeLessThanOrEqual(62);
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
