import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSdkLogger } from "../../slack/sdk-logger.ts";
import { closedPolicy } from "../../testing/start-test-app.ts";
import { createInstaller } from "./create-installer.ts";
import type { InstallEnd } from "./install-refusal.ts";
import { createInstallStates } from "./install-state.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The responses of Slack to a successful installation. */
const answers: Readonly<Record<string, object>> = {
  "oauth.v2.access": {
    ok: true,
    access_token: "xoxb-given",
    token_type: "bot",
    scope: "chat:write",
    bot_user_id: "UBOT",
    team: { id: "T1", name: "North" },
    enterprise: null,
    authed_user: { id: "U1" },
    is_enterprise_install: false,
  },
  "auth.test": { ok: true, bot_id: "BBOT", url: "https://north.slack.com/" },
  "auth.revoke": { ok: true, revoked: true },
};

/** Returns from Slack's page with a valid code. `slack` overrides Slack's responses. */
async function comeBack({
  slack = {},
  allowed = ["T1"],
  put = async () => undefined,
}: {
  readonly slack?: Readonly<Record<string, object>>;
  readonly allowed?: readonly string[];
  readonly put?: () => Promise<void>;
}): Promise<{ readonly status: number; readonly html: string; readonly ends: InstallEnd[]; readonly calls: string[] }> {
  const calls: string[] = [];
  const api = await serve((request, response) => {
    const method = (request.url ?? "").replace("/api/", "");
    calls.push(method);
    request.resume();
    response.setHeader("content-type", "application/json").end(JSON.stringify({ ...answers, ...slack }[method]));
  });
  const ends: InstallEnd[] = [];
  const states = createInstallStates({ clientSecret: "a-secret", spent: { spend: async () => true }, now: Date.now });
  const installer = createInstaller(
    {
      app: "Crosszone",
      clientId: "1.2",
      clientSecret: "a-secret",
      redirectUri: "https://example.com/slack/oauth_redirect",
      scopes: ["chat:write"],
      authorizeUrl: `${api}/oauth/v2/authorize`,
      states,
      client: { slackApiUrl: `${api}/api/`, retryConfig: { retries: 0 } },
      logger: createSdkLogger(() => undefined),
    },
    {
      installations: { put },
      policy: () => ({ ...closedPolicy, allowed_teams: new Set(allowed) }),
      newId: () => "install-1",
      now: Date.now,
      onEnded: (end) => void ends.push(end),
    },
  );
  const url = await serve((request, response) => void installer.redirect(request, response));
  const state = states.issue();
  const response = await fetch(`${url}/slack/oauth_redirect?code=a-code&state=${state}`, {
    headers: { cookie: `__Host-crosszone-install=${state}` },
  });
  return { status: response.status, html: await response.text(), ends, calls };
}

test("W7: when a token can't be revoked, the report names the failed call", async () => {
  const { status, ends, calls } = await comeBack({
    allowed: [],
    slack: { "auth.revoke": { ok: false, error: "missing_scope" } },
  });
  expect([status, calls.at(-1)]).toEqual([403, "auth.revoke"]);
  const cause = { name: "SlackCallError", method: "auth.revoke", failure: "refused", code: "missing_scope" };
  expect(ends).toMatchObject([{ refusal: "team_not_listed", team_id: "T1", cause }]);
});

test.each<[string, Parameters<typeof comeBack>[0], [number, string]]>([
  ["can't be stored here", { put: async () => Promise.reject(new Error("the database is away")) }, [500, "internal"]],
  ["can't be verified", { slack: { "auth.test": { ok: false, error: "fatal_error" } } }, [502, "slack_unavailable"]],
])("W7: the page does not say that nothing was installed when an installation in Slack %s", async (_what, how, end) => {
  const { status, html, ends, calls } = await comeBack(how);
  expect([status, ...ends.map((one) => !one.installed && one.refusal)]).toEqual(end);
  expect(html).toContain("does not answer yet, even if Slack already shows it as installed");
  expect(html).not.toContain("Nothing was installed");
  // A second installation gets the same bot, so its token may be in use.
  expect(calls).not.toContain("auth.revoke");
});
