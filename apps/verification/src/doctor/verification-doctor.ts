import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import type { Environment } from "@crosszone/service-kit";
import {
  checkClock,
  checkConfiguration,
  checkMemory,
  checkOpenFiles,
  checkReachable,
  checkTlsVerification,
  reach,
  readSystemLimits,
  type Check,
  type SectionPlan,
} from "@crosszone/service-kit/doctor";
import { loadVerificationConfig, verificationConfig, type VerificationConfig } from "../config.ts";
import { executionLinkVariables } from "../config/execution-link-variables.ts";
import { filesOriginFor } from "../files/files-origin.ts";
import { createZoneTransport } from "../transport/create-zone-transport.ts";
import { checkExecutionAnswers } from "./check-execution-answers.ts";
import { checkExecutionLocked } from "./check-execution-locked.ts";
import { checkLimits } from "./check-limits.ts";
import { checkRoundTrip } from "./check-round-trip.ts";
import { checkSlackAppId } from "./check-slack-app-id.ts";
import { checkSlackScopes } from "./check-slack-scopes.ts";
import { checkSlackSigningSecret } from "./check-slack-signing-secret.ts";
import { checkSlackSocket } from "./check-slack-socket.ts";
import { checkSlackToken } from "./check-slack-token.ts";
import { createFetchSlackProbe } from "./fetch-slack-probe.ts";
import { knock } from "./knock.ts";
import { readManifestScopes } from "./read-manifest-scopes.ts";
import type { ConnectZone } from "./zone-probe.ts";

/** Every check of the verification zone, for a configuration that may be wrong in any way. */
export function verificationDoctor(env: Environment): SectionPlan {
  const { check, values, skip } = checkConfiguration(verificationConfig, loadVerificationConfig, env);
  // Each check names the variables that it reads, and does not run when one of them is missing here.
  const config = values as VerificationConfig;
  return {
    title: "Verification zone",
    skip,
    checks: [check, ...slackChecks(config), ...executionChecks(config), ...ownChecks(config, env)],
  };
}

function slackChecks(config: VerificationConfig): Check[] {
  const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_APP_ID: appId } = config;
  const probe = createFetchSlackProbe({ apiUrl, timeoutMs: 10_000 });
  const reachable = checkReachable(
    { name: "slack reachable", reads: ["SLACK_API_URL"] },
    { peer: () => ({ url: apiUrl, variable: "SLACK_API_URL", whenDown: "Start the local Slack" }), reach },
  );
  const token = checkSlackToken(botToken, probe);
  return [
    reachable.check,
    token.check,
    checkSlackScopes(readManifestScopes(), token.identity),
    checkSlackAppId({ appId, botToken, appToken, probe, identity: token.identity }),
    checkSlackSigningSecret({ signingSecret: config.SLACK_SIGNING_SECRET, appToken }),
    checkSlackSocket(appToken, probe),
    checkReachable(
      { name: "slack files reachable", reads: ["SLACK_API_URL", "SLACK_FILES_ORIGIN"] },
      {
        peer: () => ({
          url: config.SLACK_FILES_ORIGIN ?? filesOriginFor(apiUrl),
          variable: "SLACK_FILES_ORIGIN",
          whenDown: "Start the local Slack",
        }),
        reach,
      },
    ).check,
    checkClock(
      { name: "slack clock", needs: ["slack reachable"] },
      { peer: "Slack", seen: reachable.seen, limitSeconds: 300, consequence: "every event is refused as stale" },
    ),
  ];
}

function executionChecks(config: VerificationConfig): Check[] {
  const { EXECUTION_URL: url } = config;
  const reads = Object.keys(executionLinkVariables);
  const reachable = checkReachable(
    { name: "execution reachable", reads },
    { peer: () => ({ url, variable: "EXECUTION_URL", whenDown: "Start the execution zone" }), reach },
  );
  const connect = connectZone(config);
  return [
    reachable.check,
    checkExecutionLocked(url, knock),
    checkExecutionAnswers({ needs: ["execution reachable"], reads }, connect),
    checkRoundTrip(connect),
    checkClock(
      { name: "execution clock", needs: ["execution reachable"] },
      { peer: "the execution zone", seen: reachable.seen, consequence: "the times in the two logs do not fit" },
    ),
  ];
}

function ownChecks(config: VerificationConfig, env: Environment): Check[] {
  const limits = readSystemLimits(env);
  const { MAX_QUESTIONS: questions, MAX_EVENT: bytes } = config;
  return [
    checkLimits(config),
    checkTlsVerification(limits),
    checkOpenFiles(limits, { name: "two for each of MAX_QUESTIONS", value: 2 * questions }),
    checkMemory(limits, { names: "MAX_QUESTIONS times MAX_EVENT", bytes: questions * bytes }),
  ];
}

function connectZone(config: VerificationConfig): ConnectZone {
  return () => {
    const transport = createZoneTransport(config);
    const timeoutMs = Math.min(config.EXECUTION_TIMEOUT_MS, 10_000);
    const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs });
    return { listAgents: () => client.call("list_agents", {}), close: () => transport.close() };
  };
}
