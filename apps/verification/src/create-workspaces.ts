import type { VerificationConfig } from "./config/config.ts";
import { createInstalledWorkspaces } from "./create-installed-workspaces.ts";
import type { VerificationDatabase } from "./database/open-verification-database.ts";
import type { SlackLink, VerificationDeps, Workspaces } from "./deps.ts";
import { filesOriginFor } from "./slack/slack-origins.ts";
import { createSlackFileHost } from "./slack/files/slack-file-host.ts";
import { createBotToken, type BotToken } from "./slack/bot-token.ts";
import { createSdkLogger } from "./slack/sdk-logger.ts";
import { createWebApi } from "./slack/web-api.ts";

export interface WorkspacesParts extends Pick<VerificationDeps, "logger"> {
  /** URL of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  readonly database: VerificationDatabase;
  /** File of the bot's token, if it came from a file. */
  readonly tokenFile: string | undefined;
}

/** Returns the one workspace of the bot's token, or the workspaces that install the app by OAuth. */
export function createWorkspaces(config: VerificationConfig, parts: WorkspacesParts): Workspaces {
  const { apiUrl, logger, database, tokenFile } = parts;
  const sdkLogger = createSdkLogger((severity, text) => logger.info("slack_sdk_remark", { severity, text }));
  const fileHostOf = createSlackFileHost({
    origin: config.SLACK_FILES_ORIGIN ?? filesOriginFor(apiUrl),
    connections: config.MAX_FILES_AT_ONCE,
  });
  const linkOf = (token: BotToken): SlackLink => ({
    slack: createWebApi({ token, apiUrl, logger: sdkLogger }),
    fileHost: fileHostOf(token.current),
  });
  const { SLACK_BOT_TOKEN: botToken } = config;
  if (botToken === undefined) return createInstalledWorkspaces(config, { apiUrl, logger, sdkLogger, database, linkOf });

  const token = createBotToken({
    token: botToken,
    path: tokenFile,
    onRenewed: () => logger.info("slack_token_renewed"),
    onNotRenewed: (why) => logger.error("slack_token_not_renewed", { why }),
  });
  const forwarding = config.SLACK_TOKEN_FORWARDING === "real" && { forwardedToken: token.current };
  return { mode: "single", link: { ...linkOf(token), ...forwarding } };
}
