import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type DevSlack, type DevSlackOptions, startDevSlack, startDevSlackOAuth } from "@crosszone/dev-slack";
import type { RowResult } from "@crosszone/ops/doctor";
import { tempFolder } from "@crosszone/testkit/temporary";
import { openVerificationDatabase, verificationDoctor } from "@crosszone/verification";
import { describe, expect, onTestFinished, test } from "vitest";
import { withPolicy } from "../harness/temp-file.ts";
import { advice, consultDoctor, startPeer, withClock } from "../harness/consult-doctor.ts";

const manifest = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../apps/verification/slack-app-manifest.json"), "utf8"),
) as { oauth_config: { scopes: { bot: string[] } } };
const needed = manifest.oauth_config.scopes.bot;

async function slackWith(options: DevSlackOptions = {}): Promise<{ slack: DevSlack; env: Record<string, string> }> {
  const slack = await startDevSlack({ scopes: needed, ...options });
  onTestFinished(() => slack.close());
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    // A closed port: the zone link is not tested here.
    EXECUTION_URL: "http://127.0.0.1:9/rpc",
  };
  return { slack, env };
}

const consult = (env: Record<string, string>): Promise<Record<string, RowResult>> =>
  consultDoctor(verificationDoctor(env));
test("with the scopes of the manifest, all checks of Slack pass", async () => {
  const { env } = await slackWith();
  const found = await consult(env);
  for (const name of ["slack reachable", "slack token", "slack scopes", "slack signing secret", "slack clock"])
    expect(found[name]).toMatchObject({ name, status: "passed" });
  expect(found["slack token"]?.says).toMatch(/^team .+ \(T\w+\), bot .+ \(U\w+\)$/);
  expect(found["slack socket mode"]).toMatchObject({ status: "skipped" });
});

describe("the bot token", () => {
  test("that Slack does not know fails with Slack's error, and the checks that need it are skipped", async () => {
    const { env } = await slackWith();
    const found = await consult({ ...env, SLACK_BOT_TOKEN: "xoxb-0-wrong" });
    expect(found["slack token"]).toMatchObject({ status: "failed" });
    expect(advice(found["slack token"])).toContain("invalid_auth");
    for (const name of ["slack scopes", "slack app id"])
      expect(found[name]).toMatchObject({ status: "skipped", says: 'requires "slack token"' });
    expect(found["slack clock"]).toMatchObject({ status: "passed" });
  });

  test.each([
    ["an error of its own", { kind: "server_error" } as const, "http_500"],
    ["too many calls", { kind: "rate_limited" } as const, "ratelimited"],
    ["a cut connection", { kind: "drop" } as const, "und_err_socket"],
  ])("is not blamed for %s of Slack", async (_name, fault, word) => {
    const { slack, env } = await slackWith();
    slack.control.setFault({ method: "auth.test", ...fault });
    expect(advice((await consult(env))["slack token"])).toContain(word);
  });
});

describe("scopes", () => {
  test("that are missing fail by name", async () => {
    const { env } = await slackWith({ scopes: needed.filter((scope) => !/^(chat:write|im:history)$/.test(scope)) });
    expect((await consult(env))["slack scopes"]).toMatchObject({
      status: "failed",
      says: "2 scopes missing: chat:write, im:history",
    });
  });
});

describe("the app id", () => {
  test("of another app fails and names the token's app", async () => {
    const { slack, env } = await slackWith({ scopes: [...needed, "users:read"] });
    const { app_id } = slack.workspace.app;
    expect((await consult({ ...env, SLACK_APP_ID: app_id }))["slack app id"]).toMatchObject({ status: "passed" });
    const found = await consult({ ...env, SLACK_APP_ID: "A0OTHER" });
    expect(found["slack app id"]).toMatchObject({ status: "failed" });
    expect(advice(found["slack app id"])).toContain(`Set SLACK_APP_ID to ${app_id}`);
  });

  test("that is not set and that Slack does not return gets a warning that says what to set", async () => {
    const { slack, env } = await slackWith({ scopes: needed.filter((scope) => scope !== "users:read") });
    const id = slack.workspace.app.app_id;
    for (const [more, advised] of [
      [{}, "Set SLACK_APP_ID, or"],
      [{ SLACK_APP_TOKEN: `xapp-1-${id}-0-abc` }, `Set SLACK_APP_ID to ${id}`],
    ] as const) {
      const found = await consult({ ...env, ...more });
      expect(found["slack app id"]).toMatchObject({ status: "warned" });
      expect(advice(found["slack app id"])).toContain(advised);
    }
  });
});

test("Socket Mode: the app-level token is tried, and a wrong one fails", async () => {
  const { slack, env } = await slackWith();
  const { SLACK_SIGNING_SECRET: _none, ...socket } = env;
  const right = await consult({ ...socket, SLACK_APP_TOKEN: slack.appToken });
  expect(right["slack socket mode"]).toMatchObject({ status: "passed" });
  expect(right["slack signing secret"]).toMatchObject({ status: "skipped" });
  const wrong = await consult({ ...socket, SLACK_APP_TOKEN: "xapp-1-A0-0-wrong" });
  expect(wrong["slack socket mode"]).toMatchObject({ status: "failed" });
});

test("P5: what the app may not read is named, with the installation and the scope", async () => {
  const { env } = await slackWith();
  const DATA_DIR = tempFolder();
  expect((await consult({ ...env, DATA_DIR }))["slack history"]).toMatchObject({ status: "passed" });
  const database = await openVerificationDatabase({ url: `sqlite:${join(DATA_DIR, "verification.sqlite")}` });
  onTestFinished(() => database.close());
  const [team_id, read_to] = ["T0NORTH0001", 0];
  const unread = [
    ["C0PRIVATE01", "not_in_channel"],
    ["mpim", "missing_scope"],
  ].map(([channel = "", refused = null]) => ({ team_id, channel, read_to, refused }));
  await database.db.insertInto("sweep_channel").values(unread).execute();
  const installed = {
    install: "i",
    bot_user_id: "U",
    bot_id: "B",
    installed_by: "U",
    installed_at: 0,
    grant_sealed: "",
  };
  const scopes = needed.filter((scope) => scope !== "groups:history").join(",");
  await database.db
    .insertInto("installation")
    .values({ id: team_id, scopes, ...installed })
    .execute();
  expect((await consult({ ...env, DATA_DIR }))["slack history"]).toMatchObject({
    status: "warned",
    todo: [
      "Install the app again in T0NORTH0001, which lacks groups:history.",
      "Slack does not show the history of C0PRIVATE01 in T0NORTH0001: not_in_channel.",
      "Install the app again in T0NORTH0001: it lacks mpim:read for mpim.",
    ],
  });
});

test("a signing secret in another form than Slack's is a warning", async () => {
  const { env } = await slackWith();
  const found = await consult({ ...env, SLACK_SIGNING_SECRET: `v${"0".repeat(40)}` });
  expect(found["slack signing secret"]).toMatchObject({ status: "warned" });
});

describe("people who are allowed by name", () => {
  test("are looked up: an unknown person is a failure, a denied one a warning", async () => {
    const { env } = await slackWith();
    const right = await consult({
      ...env,
      ...withPolicy({ allowed_channels: ["C0GENERAL01", "dm"], allowed_users: ["U0ALICE0001"] }),
    });
    expect(right["allowed teams"]).toMatchObject({ status: "skipped", says: "the list is empty" });
    expect(right["allowed channels"]).toMatchObject({ status: "passed" });
    expect(right["allowed users"]).toMatchObject({ status: "passed" });

    const wrong = await consult({
      ...env,
      ...withPolicy({
        allowed_teams: ["T0NOWHERE"],
        allowed_channels: ["C0NOWHERE", "C0ARCHIVE01", "C0SHARED001"],
        allowed_users: ["U0GUEST0001", "U0GONE00001"],
      }),
    });
    expect(advice(wrong["allowed teams"])).toContain("Slack does not know T0NOWHERE");
    expect(wrong["allowed channels"]).toMatchObject({ status: "failed", says: "1 of 3 cannot be found" });
    expect(advice(wrong["allowed channels"])).toMatch(/C0ARCHIVE01 is archived.*C0SHARED001 is shared/);
    expect(wrong["allowed users"]).toMatchObject({ status: "warned", says: "2 of 2 are still denied" });
  });

  test("are judged by what the policy allows", async () => {
    const { env } = await slackWith();
    const policy = { allowed_users: ["U0GUEST0001", "U0NOBODY"], allow_guests: true };
    const found = await consult({ ...env, ...withPolicy(policy) });
    expect(found["allowed users"]).toMatchObject({
      status: "failed",
      todo: ["Slack does not know U0NOBODY: correct or remove it."],
    });
  });
});

test.each([
  [-400, "failed", "400 s ahead of Slack"],
  [400, "failed", "400 s behind Slack"],
  [90, "warned", "90 s behind Slack"],
])("S2: a clock that is %i s off: %s", async (seconds, status, says) => {
  const { slack, env } = await slackWith();
  const url = await startPeer(withClock(slack.url, seconds));
  const found = await consult({ ...env, SLACK_API_URL: `${url}/api/` });
  expect(found["slack clock"]).toMatchObject({ status });
  expect(found["slack clock"]?.says).toMatch(new RegExp(says.replace(/\d+/, String.raw`\d+`)));
  expect(found["slack token"]).toMatchObject({ status: "passed" });
});

test("an unreachable Slack fails once, and the checks that need it are skipped", async () => {
  const { env } = await slackWith();
  const found = await consult({ ...env, SLACK_API_URL: "http://127.0.0.1:9/api/" });
  expect(found["slack reachable"]).toMatchObject({
    status: "failed",
    says: "the connection to 127.0.0.1:9 was refused",
  });
  expect(found["slack token"]).toMatchObject({ status: "skipped" });
});

test("S14: the doctor's output has no secret, whatever is wrong", async () => {
  const { slack, env } = await slackWith();
  const url = await startPeer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: false, error: request.headers.authorization }));
  });
  const secrets = { ...env, SLACK_APP_TOKEN: slack.appToken, EXECUTION_TOKEN: `link-${"x".repeat(40)}` };
  const all = await Promise.all(
    [
      secrets,
      { ...secrets, SLACK_API_URL: `${url}/api/`, EXECUTION_URL: `${url}/rpc` },
      { ...secrets, SLACK_API_URL: slack.botToken },
    ].map(consult),
  );
  const said = JSON.stringify(all);
  for (const secret of [slack.botToken, slack.appToken, slack.signingSecret, secrets.EXECUTION_TOKEN])
    expect(said).not.toContain(secret);
});

async function environment(): Promise<Record<string, string>> {
  const slack = await startDevSlackOAuth();
  onTestFinished(() => slack.close());
  return {
    SLACK_CLIENT_ID: slack.clientId,
    SLACK_CLIENT_SECRET: slack.clientSecret,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_REDIRECT_URL: "http://127.0.0.1:3000/slack/oauth_redirect",
    SLACK_API_URL: slack.apiUrl,
    DATA_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
    ...withPolicy({ allowed_teams: ["T0NORTH0001"] }),
    EXECUTION_URL: "http://127.0.0.1:9/rpc",
  };
}

test("with several workspaces, Slack is asked whether it knows the app, and no bot token is required", async () => {
  const found = await consultDoctor(verificationDoctor(await environment()));
  expect(found["configuration"]).toMatchObject({ status: "passed" });
  expect(found["slack oauth"]).toMatchObject({ status: "passed" });
  expect(found["slack token"]).toBeUndefined();
});

test.each([
  [{ SLACK_CLIENT_ID: "1.1" }, "invalid_client_id", "Client ID"],
  [{ SLACK_CLIENT_SECRET: "f".repeat(32) }, "bad_client_secret", "not the Signing Secret"],
])("%j: Slack's error, and what to do", async (wrong, word, todo) => {
  const found = await consultDoctor(verificationDoctor({ ...(await environment()), ...wrong }));
  expect(found["slack oauth"]).toMatchObject({ status: "failed" });
  expect(advice(found["slack oauth"])).toContain(word);
  expect(advice(found["slack oauth"])).toContain(todo);
});
