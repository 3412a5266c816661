import { vaultOf } from "@crosszone/service-kit";
import type { Logger as SlackLogger } from "@slack/bolt";
import { systemClock as clock } from "./time/clock.ts";
import type { VerificationConfig } from "./config/config.ts";
import type { VerificationDatabase } from "./database/open-verification-database.ts";
import type { SlackLink, VerificationDeps, Workspaces } from "./deps.ts";
import { createInstallStates } from "./edge/install/install-state.ts";
import { createInstallationToken } from "./workspaces/installations/installation-token.ts";
import { createRefreshGrant } from "./workspaces/installations/refresh-grant.ts";
import { createSqlInstallationStore } from "./workspaces/installations/sql-installation-store.ts";
import { createSqlSpentStates } from "./edge/install/sql-spent-states.ts";
import { errorFields } from "./ops/observers/error-fields.ts";
import type { BotToken } from "./slack/bot-token.ts";
import { readManifest } from "./slack/read-manifest.ts";

interface InstalledParts extends Pick<VerificationDeps, "logger"> {
  /** URL of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  readonly database: VerificationDatabase;
  readonly sdkLogger: SlackLogger;
  /** Returns the connection to Slack with a token. */
  readonly linkOf: (token: BotToken) => SlackLink;
}

/**
 * Returns the workspaces that install the app by OAuth. Throws if the configuration lacks a required variable, which its own check reports
 * first.
 */
export function createInstalledWorkspaces(config: VerificationConfig, parts: InstalledParts): Workspaces {
  const { apiUrl, logger, sdkLogger, database, linkOf } = parts;
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
  const installations = createSqlInstallationStore(database, { vault });
  const refresh = createRefreshGrant({ clientId, clientSecret, client: { ...client, logger: sdkLogger }, now });
  const { name, scopes } = readManifest();
  return {
    mode: "installed",
    installations,
    linkOf: (installation) => {
      const about = { installation: installation.id };
      const token = createInstallationToken({
        installations,
        installation,
        refresh,
        clock,
        onRenewed: () => logger.info("slack_token_renewed", about),
        onNotRenewed: (error) =>
          logger.error("slack_token_not_renewed", { ...about, ...errorFields(error), cause: error }),
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
      states: createInstallStates({ clientSecret, spent: createSqlSpentStates(database), now }),
      client,
      logger: sdkLogger,
    },
  };
}
