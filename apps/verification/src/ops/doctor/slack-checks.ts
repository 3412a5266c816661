import { type Check, checkClock, checkReachable, probe } from "@crosszone/ops/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import type { AccessPolicy } from "../../policy/access-policy.ts";
import { readPolicyFile } from "../../policy/policy-file.ts";
import { policyOfVariables, policyVariables } from "../../policy/policy-variables.ts";
import { readManifest } from "../../slack/read-manifest.ts";
import { filesOriginFor } from "../../slack/slack-origins.ts";
import { checkAllowed } from "./check-allowed.ts";
import { checkSlackOAuth, checkSlackSigningSecret, checkSlackSocket } from "./slack-connection-checks.ts";
import { createFetchSlackProbe, type SlackProbe } from "./slack-probe.ts";
import { checkSlackAppId, checkSlackScopes, checkSlackToken } from "./slack-token-checks.ts";

const whenDown = "Start the local Slack";

/** Returns the checks of Slack: its connection, the app's credentials and its permissions. */
export function slackChecks(config: VerificationConfig): Check[] {
  const { SLACK_API_URL: apiUrl, SLACK_APP_TOKEN: appToken } = config;
  const slack = createFetchSlackProbe({ apiUrl, timeoutMs: 10_000 });
  const reachable = checkReachable(
    { name: "slack reachable", reads: ["SLACK_API_URL"] },
    { peer: () => ({ url: apiUrl, variable: "SLACK_API_URL", whenDown }), probe },
  );
  return [
    reachable.check,
    ...(config.SLACK_CLIENT_ID === undefined ? workspaceChecks(config, slack) : [checkSlackOAuth(config, slack)]),
    checkSlackSigningSecret({ signingSecret: config.SLACK_SIGNING_SECRET, appToken }),
    checkSlackSocket(appToken, slack),
    checkReachable(
      { name: "slack files reachable", reads: ["SLACK_API_URL"] },
      { peer: () => ({ url: filesOriginFor(apiUrl), variable: "SLACK_API_URL", whenDown }), probe },
    ).check,
    checkClock(
      { name: "slack clock", needs: ["slack reachable"] },
      { peer: "Slack", result: reachable.result, limitSeconds: 300, consequence: "every event is refused as stale" },
    ),
  ];
}

/** Returns the checks of the one workspace's permissions. */
function workspaceChecks(config: VerificationConfig, slack: SlackProbe): Check[] {
  // Without a token, its check and the checks that depend on it are skipped.
  const { SLACK_BOT_TOKEN: botToken = "", SLACK_APP_TOKEN: appToken, SLACK_APP_ID: appId } = config;
  const token = checkSlackToken(botToken, slack);
  return [
    token.check,
    checkSlackScopes(readManifest().scopes, token.identity),
    checkSlackAppId({ appId, botToken, appToken, probe: slack, identity: token.identity }),
    ...checkAllowed({ policy: () => policyOf(config), token: botToken, probe: slack }, Object.keys(policyVariables)),
  ];
}

function policyOf(config: VerificationConfig): AccessPolicy {
  return config.POLICY_FILE === undefined ? policyOfVariables(config) : readPolicyFile(config.POLICY_FILE);
}
