import type { AppendAudit } from "@crosszone/audit";
import { type Emit, vaultOf } from "@crosszone/service-kit";
import { systemClock as clock } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Logger as SlackLogger } from "@slack/bolt";
import type { VerificationConfig } from "./config/config.ts";
import type { VerificationDatabase } from "./database/open-verification-database.ts";
import type { WorkspaceSource } from "./deps.ts";
import { createInstallStates } from "./edge/install/install-state.ts";
import { type BotToken, createBotToken, createSdkLogger } from "./slack/token-clients.ts";
import { createSlackFileHost } from "./slack/files/open-file.ts";
import { readManifest } from "./slack/read-manifest.ts";
import { originOf } from "./slack/slack-variables.ts";
import { createWebApi } from "./slack/web-api.ts";
import { createInstallationToken, createRefreshGrant } from "./workspaces/installations/installation-token.ts";
import { InstallationStore } from "./workspaces/installations/installation-store.ts";
import type { SlackLink } from "./workspaces/workspace-context.ts";

export interface WorkspaceSourceParts {
  readonly emit: Emit<VerificationEvent>;
  /** URL of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  readonly database: VerificationDatabase;
  readonly append: AppendAudit;
  /** File of the bot's token, if it came from a file. */
  readonly tokenFile: string | undefined;
}

/** Returns the one workspace of the bot's token, or the workspaces that install the app by OAuth. */
export function createWorkspaceSource(config: VerificationConfig, parts: WorkspaceSourceParts): WorkspaceSource {
  const { apiUrl, emit, tokenFile } = parts;
  const sdkLogger = createSdkLogger((severity, text) => emit("slack_sdk_remark", { severity, text }));
  const fileHostOf = createSlackFileHost({ origin: originOf("files", apiUrl), connections: config.MAX_FILES_AT_ONCE });
  const linkOf = (token: BotToken): SlackLink => ({
    slack: createWebApi({ token, apiUrl, logger: sdkLogger }),
    fileHost: fileHostOf(token.current),
  });
  const { SLACK_BOT_TOKEN: botToken } = config;
  if (botToken === undefined) return installedSource(config, parts, { sdkLogger, linkOf });

  const token = createBotToken({
    token: botToken,
    path: tokenFile,
    onRenewed: () => emit("slack_token_renewed"),
    onNotRenewed: (why) => emit("slack_token_not_renewed", { why }),
  });
  const forwardedToken = config.SLACK_TOKEN_FORWARDING === "real" ? token.current : undefined;
  return { mode: "single", link: { ...linkOf(token), forwardedToken } };
}

/**
 * Returns the source of the workspaces that install the app by OAuth. Throws if the configuration lacks a required variable, which its own check reports
 * first.
 */
function installedSource(
  config: VerificationConfig,
  { apiUrl, emit, database, append }: WorkspaceSourceParts,
  { sdkLogger, linkOf }: { readonly sdkLogger: SlackLogger; readonly linkOf: (token: BotToken) => SlackLink },
): WorkspaceSource {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_REDIRECT_URL: redirectUri } = config;
  const vault = vaultOf(config);
  if (clientId === undefined || clientSecret === undefined || redirectUri === undefined || vault === undefined)
    throw new Error("installing by OAuth is not configured");
  const client = {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    timeout: 10_000,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  };
  const { now } = clock;
  const installations = new InstallationStore(database, vault, append);
  const refresh = createRefreshGrant({ clientId, clientSecret, client: { ...client, logger: sdkLogger }, now });
  const { name, scopes } = readManifest();
  return {
    mode: "installed",
    installations,
    linkOf: (installation) => {
      const { id } = installation;
      const token = createInstallationToken({
        installations,
        installation,
        refresh,
        clock,
        onRenewed: () => emit("slack_token_renewed", { installation: id }),
        onNotRenewed: (failure) => emit("slack_token_not_renewed", { installation: id, failure }),
      });
      return linkOf(token);
    },
    installing: {
      app: name,
      clientId,
      clientSecret,
      redirectUri,
      scopes: scopes.bot,
      authorizeUrl: new URL("/oauth/v2/authorize", apiUrl).href,
      states: createInstallStates(database, { clientSecret, now }),
      client,
      logger: sdkLogger,
    },
  };
}
