import { onTestFinished, expect, test } from "vitest";
import { startDevSlackOAuth } from "./start-dev-slack-oauth.ts";
import type { DevSlackOAuth, DevSlackOAuthOptions } from "./start-dev-slack-oauth.ts";

const redirectUrl = "http://127.0.0.1:9/slack/oauth_redirect";
type Answer = Record<string, unknown>;

async function start(options: DevSlackOAuthOptions = {}): Promise<DevSlackOAuth> {
  const dev = await startDevSlackOAuth(options);
  onTestFinished(() => dev.close());
  dev.setApp({ eventsUrl: "http://127.0.0.1:9/slack/events", redirectUrl });
  return dev;
}

const authorizeUrl = (dev: DevSlackOAuth, members: Record<string, string> = {}): string => {
  const asked = { client_id: dev.clientId, scope: "chat:write", state: "s", redirect_uri: redirectUrl, ...members };
  return `${dev.url}/oauth/v2/authorize?${new URLSearchParams(asked).toString()}`;
};

async function click(dev: DevSlackOAuth, fields: Record<string, string>, members = {}): Promise<URL> {
  const init = { method: "POST", body: new URLSearchParams(fields), redirect: "manual" as const };
  return new URL((await fetch(authorizeUrl(dev, members), init)).headers.get("location") ?? "none:");
}

async function codeOf(dev: DevSlackOAuth, at = 0): Promise<string> {
  const team = dev.slacks[at]?.workspace.team.id ?? "";
  return (await click(dev, { team, decision: "allow" })).searchParams.get("code") ?? "";
}

async function access(dev: DevSlackOAuth, fields: Record<string, string>, headers = {}): Promise<Answer> {
  const body = new URLSearchParams(fields);
  return (await (await fetch(`${dev.apiUrl}oauth.v2.access`, { method: "POST", body, headers })).json()) as Answer;
}

const clientOf = ({ clientId, clientSecret }: DevSlackOAuth): Record<string, string> => ({
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uri: redirectUrl,
});

const authTest = async (dev: DevSlackOAuth, token: unknown): Promise<Answer> =>
  (await (
    await fetch(`${dev.apiUrl}auth.test`, { headers: { authorization: `Bearer ${String(token)}` } })
  ).json()) as Answer;

test("a person allows the app in a workspace, and the app gets a token for it", async () => {
  const dev = await start();
  const page = await (await fetch(authorizeUrl(dev))).text();
  expect(page).toContain("North");
  expect(page).toContain("South");
  for (const [at, slack] of dev.slacks.entries()) {
    expect(await authTest(dev, slack.botToken)).toMatchObject({ ok: false });
    const answer = await access(dev, { ...clientOf(dev), code: await codeOf(dev, at) });
    const { team, app } = slack.workspace;
    expect(answer).toMatchObject({
      ok: true,
      token_type: "bot",
      scope: "chat:write",
      bot_user_id: app.bot_user_id,
      team: { id: team.id, name: team.name },
      authed_user: { id: "U0ALICE0001" },
      is_enterprise_install: false,
    });
    expect(await authTest(dev, answer["access_token"])).toMatchObject({ ok: true, team_id: team.id });
  }
});

test("the app can authenticate with HTTP Basic", async () => {
  const dev = await start();
  const authorization = `Basic ${Buffer.from(`${dev.clientId}:${dev.clientSecret}`).toString("base64")}`;
  const code = await codeOf(dev);
  expect(await access(dev, { code, redirect_uri: redirectUrl }, { authorization })).toMatchObject({ ok: true });
});

test("a person who cancels sends the app back with access_denied, and the state", async () => {
  const dev = await start();
  const back = await click(dev, { decision: "cancel" });
  expect(back.href).toBe(`${redirectUrl}?error=access_denied&state=s`);
});

test.each([
  ["invalid_client_id", { client_id: "1.1" }],
  ["bad_redirect_uri", { redirect_uri: "http://127.0.0.1:9/elsewhere" }],
  ["invalid_scope", { scope: "chat:write,admin" }],
])("the page is not shown for %s, and there is no redirect", async (error, members) => {
  const dev = await start();
  const response = await fetch(authorizeUrl(dev, members));
  expect([response.status, await response.text()]).toEqual([400, error]);
  expect((await click(dev, { team: "T0NORTH0001", decision: "allow" }, members)).href).toBe("none:");
});

test.each([
  ["invalid_client_id", { client_id: "1.1" }],
  ["bad_client_secret", { client_secret: "wrong" }],
  ["invalid_code", { code: "0.none" }],
  ["bad_redirect_uri", { redirect_uri: "http://127.0.0.1:9/elsewhere" }],
  ["bad_redirect_uri", { redirect_uri: "" }],
])("oauth.v2.access: %s", async (error, members) => {
  const dev = await start();
  expect(await access(dev, { ...clientOf(dev), code: await codeOf(dev), ...members })).toEqual({ ok: false, error });
});

test("a code is valid once, and expires", async () => {
  const dev = await start();
  const code = await codeOf(dev);
  await access(dev, { ...clientOf(dev), code });
  expect(await access(dev, { ...clientOf(dev), code })).toMatchObject({ error: "code_already_used" });
  const hasty = await start({ codeLifetimeMs: 0 });
  expect(await access(hasty, { ...clientOf(hasty), code: await codeOf(hasty) })).toMatchObject({
    error: "code_expired",
  });
});

test("with token rotation, a refresh token is valid once, and a token until it expires", async () => {
  const dev = await start({ tokenLifetimeMs: 60_000 });
  const first = await access(dev, { ...clientOf(dev), code: await codeOf(dev) });
  expect(first).toMatchObject({ expires_in: 60, refresh_token: expect.stringMatching(/^xoxe-1-/) as unknown });
  const refresh = { ...clientOf(dev), grant_type: "refresh_token", refresh_token: String(first["refresh_token"]) };
  const second = await access(dev, refresh);
  expect(await access(dev, refresh)).toEqual({ ok: false, error: "invalid_refresh_token" });
  for (const token of [first["access_token"], second["access_token"]])
    expect(await authTest(dev, token)).toMatchObject({ ok: true });
  const short = await start({ tokenLifetimeMs: 1 });
  const { access_token } = await access(short, { ...clientOf(short), code: await codeOf(short) });
  await expect.poll(() => authTest(short, access_token)).toEqual({ ok: false, error: "token_expired" });
});

test("a token of one workspace opens nothing of the other, and auth.revoke ends it", async () => {
  const dev = await start();
  const { access_token } = await access(dev, { ...clientOf(dev), code: await codeOf(dev) });
  const headers = { authorization: `Bearer ${String(access_token)}` };
  const south = await fetch(`${dev.url}/workspaces/T0SOUTH0001/api/auth.test`, { headers });
  expect(await south.json()).toEqual({ ok: false, error: "invalid_auth" });
  const revoked = await fetch(`${dev.apiUrl}auth.revoke`, { method: "POST", headers });
  expect(await revoked.json()).toEqual({ ok: true, revoked: true });
  expect(await authTest(dev, access_token)).toEqual({ ok: false, error: "token_revoked" });
});
