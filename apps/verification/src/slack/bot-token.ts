import { readFileSync } from "node:fs";
import { slackVariables } from "./slack-variables.ts";

/** The bot's token, which can change while the app runs. */
export interface BotToken {
  /** Rejects with a `SlackCallError` if there is no token. */
  readonly current: () => string | Promise<string>;
  /** Looks for a new token after Slack has refused this one. Returns true if `current` now returns a new one. */
  readonly renew: (refused: string) => boolean | Promise<boolean>;
}

/** The token of an app that was installed manually in one workspace. */
export interface ConfiguredToken extends BotToken {
  readonly current: () => string;
  readonly renew: (refused: string) => boolean;
}

export interface BotTokenOptions {
  readonly token: string;
  /** The token's file; without it the token cannot be renewed. */
  readonly path?: string;
  readonly onRenewed: () => void;
  /** Called with the reason when the file has no new token. The reason never contains the file's content. */
  readonly onNotRenewed: (why: string) => void;
}

/** Makes a token that is read again from its file after Slack refuses it. */
export function createBotToken({ token, path, onRenewed, onNotRenewed }: BotTokenOptions): ConfiguredToken {
  let current = token;
  return {
    current: () => current,
    renew: (refused) => {
      if (refused !== current) return true;
      const read = path === undefined ? { problem: "it was not read from a file" } : readToken(path);
      if ("problem" in read || read.token === current) {
        onNotRenewed("problem" in read ? read.problem : "the file still contains the refused token");
        return false;
      }
      current = read.token;
      onRenewed();
      return true;
    },
  };
}

function readToken(path: string): { readonly token: string } | { readonly problem: string } {
  try {
    const { data: token } = slackVariables.SLACK_BOT_TOKEN.schema.safeParse(readFileSync(path, "utf8").trim());
    return token === undefined ? { problem: "the file contains no bot token" } : { token };
  } catch (error) {
    return { problem: `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? "unreadable"})` };
  }
}
