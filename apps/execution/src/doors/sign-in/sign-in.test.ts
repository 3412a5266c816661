// suite: both
import { randomUUID } from "node:crypto";
import { adminToken } from "@crosszone/admin-api/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { decodeJwt } from "jose";
import { expect, test, vi } from "vitest";
import { inputIdOf } from "../../people/input-record.ts";
import { newInput, payment } from "../../testing/new-input.ts";
import { sessionOf, startSignIn, type Sub } from "../../testing/start-sign-in.ts";
import { startZone } from "../../testing/start-zone.ts";

onBothEngines("sign-in", (newDatabase) => {
  test("W16: roles and scopes follow from the groups of the claims", async () => {
    const { as, provider } = await startSignIn(await newDatabase());
    const expected: Partial<Record<Sub, readonly [roles: string[], scopes: string[]]>> = {
      vera: [["viewer"], ["runs:read"]],
      olga: [["operator"], ["runs:read", "runs:act", "content:read"]],
      adam: [["admin"], ["ask", "runs:read", "runs:act", "agents:write", "tokens:write"]],
      aude: [["auditor"], ["runs:read", "audit:read"]],
    };
    for (const [sub, [roles, scopes]] of Object.entries(expected))
      expect([sub, await sessionOf(await as(sub as Sub))]).toMatchObject([sub, { status: 200, roles, scopes }]);
    provider.people["aude"] = { name: "Aude", groups: ["auditors", "ops", "viewers"] };
    expect(await sessionOf(await as("aude"))).toMatchObject({
      roles: ["operator", "auditor"],
      scopes: ["runs:read", "runs:act", "audit:read"],
    });
    const { status, ...olga } = await sessionOf(await as("olga"));
    expect(olga).toEqual({
      actor: `person:${provider.issuer} olga`,
      name: "Olga Ops",
      roles: ["operator"],
      scopes: ["runs:read", "runs:act", "content:read"],
      slack_user: "U0OLGA",
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const ends = Date.parse(String(olga["expires_at"])) - Date.now();
    expect([status, Math.round(ends / 3_600_000)]).toEqual([200, 12]);
  });

  test("W16: a person whose claims name a Slack user decides where that user is named, and is on the record", async () => {
    const { as, zone } = await startSignIn(await newDatabase());
    const { requests } = zone.inputs;
    const decide = { ...newInput().decide, people: ["U0OLGA"] };
    const input = newInput({ decide, action: payment(1), team_id: "T0TEAM" });
    await requests.ask(input);
    const olga = await as("olga");
    const path = `/api/v1/input-requests/${input.request_id}/answer`;
    const digest = (await requests.find(input.request_id))?.request.action?.digest;
    const answer = { verdict: "approve", reason: "agreed" };
    expect(JSON.parse((await olga.act(path, { answer })).body)).toMatchObject({ outcome: "changed" });
    const vote = { user_id: "U0OLGA", team_id: "T0TEAM", via: "console", reason: "agreed" };
    expect(JSON.parse((await olga.act(path, { answer, digest })).body)).toMatchObject({
      outcome: "decided",
      input_request: { state: "approved", votes: [vote] },
    });
    const event = (await zone.acts()).findLast(({ action }) => action === "input.decide");
    expect(event).toMatchObject({
      outcome: "done",
      actor: { type: "person", id: "U0OLGA", team: "T0TEAM" },
      surface: "page",
      details: { via: "console", signed_in: expect.stringMatching(/^person:http:.* olga$/) },
      content: { name: expect.any(String) },
    });
  });

  test("X24: in the console, a user with the id of a person of another workspace decides nothing", async () => {
    const { as, zone, edit } = await startSignIn(await newDatabase());
    const olga = await as("olga");
    const statusOf = async (people: string[], team_id: string, who = olga): Promise<number> => {
      const input = newInput({
        request_id: inputIdOf(randomUUID(), "key"),
        decide: { ...newInput().decide, people },
        team_id,
      });
      await zone.inputs.requests.ask(input);
      const answer = { verdict: "deny" };
      return (await who.act(`/api/v1/input-requests/${input.request_id}/answer`, { answer })).status;
    };
    expect(await statusOf(["U0OLGA"], "T1")).toBe(403);
    expect(await statusOf(["T1/U0OLGA"], "T1")).toBe(403);
    expect(await statusOf(["T0TEAM/U0OLGA"], "T1")).toBe(200);
    // Claims without a workspace, which one workspace alone can do without.
    edit({ slack_claim: ["https://slack.com/user_id"] });
    const later = (people: string[]) =>
      vi.waitFor(async () => expect(await statusOf(people, "T1", await as("olga"))).toBe(200));
    await later(["U0OLGA"]);
    expect(await statusOf(["T0TEAM/U0OLGA"], "T1", await as("olga"))).toBe(403);
    edit({ slack_claim: ["https://slack.com/user_id"], slack_team_claim: "https://slack.com/team_id" });
    await later(["T0TEAM/U0OLGA"]);
  });
});

test("two tabs sign in at the same time, each to its page", async () => {
  const { as } = await startSignIn();
  const own = await as("olga");
  const [one, two] = [
    await own.ask("/auth/login?return_to=/console/runs%3Fstate=open%23a"),
    await own.ask("/auth/login?return_to=/console/usage"),
  ];
  const first = await own.through(one.location);
  const second = await own.through(two.location);
  expect((await own.ask(second)).location).toBe("/console/usage");
  expect((await own.ask(first)).location).toBe("/console/runs?state=open#a");
  expect((await sessionOf(own)).status).toBe(200);
  expect([...own.jar.keys()].filter((name) => name.startsWith("__Host-"))).toEqual(["__Host-crosszone"]);
});

test("Q40: while the provider is away, sessions live, and a new sign-in says so", async () => {
  const { as, provider, browser, zone } = await startSignIn();
  const olga = await as("olga");
  const half = browser();
  const callback = await half.begin();
  provider.isDown = true;
  expect(await sessionOf(olga)).toMatchObject({ status: 200 });
  expect(await half.ask(callback)).toMatchObject({ status: 503, body: expect.stringContaining("can't be reached") });
  expect((await olga.act("/auth/logout")).status).toBe(200);
  expect(zone.log.filter(({ event }) => event === "sign_in_failed")).toHaveLength(1);
  // It was there a moment ago.
  expect(await browser().ask("/auth/login")).toMatchObject({ status: 503, body: expect.stringContaining("reached") });
  await provider.stop();
  const { browser: strange } = await startSignIn(undefined, { issuer: provider.issuer });
  expect(await strange().ask("/auth/login")).toMatchObject({ status: 503 });
});

test("a new key of the provider is fetched", async () => {
  const { as, provider } = await startSignIn(undefined, {}, tune({ EXECUTION_JWT_JWKS_COOLDOWN_MS: 0 }));
  await as("olga");
  await provider.rotate();
  provider.tamper = (token) => provider.sign(decodeJwt(token));
  expect((await sessionOf(await as("olga"))).status).toBe(200);
});

test("without a token and without sign-in, nothing answers", async () => {
  const { url } = await startZone();
  const paths = ["/runs", "/api/v1/session", "/auth/login", "/auth/callback", "/api/v1/tasks", "/api/v1/openapi.json"];
  expect(await Promise.all(paths.map(async (path) => (await fetch(url + path)).status))).toEqual(paths.map(() => 404));
  const tokens = await startZone(undefined, { env: { ADMIN_TOKENS: adminToken } });
  const signInOf = async (at: string) => /name="sign-in" content="(.*?)"/.exec(await (await fetch(at)).text())?.[1];
  expect(await signInOf(`${tokens.url}/console`)).toBe("");
  expect((await fetch(`${tokens.url}/auth/login`)).status).toBe(404);
  const only = await startSignIn(undefined, {}, { ADMIN_TOKENS: "" });
  expect(await signInOf(`${only.url}/console/runs`)).toBe("/auth/login");
});
