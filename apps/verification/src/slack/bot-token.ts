import { readFileSync } from "node:fs";
import { slackVariables } from "../config/slack-variables.ts";

/** The bot's token, which may be replaced while the app runs. */
export interface BotToken {
  /** Rejects with a `SlackCallError` when there is none. */
  readonly current: () => string | Promise<string>;
  /** Looks for another token after Slack has refused this one. Whether `current` gives another one now. */
  readonly renew: (refused: string) => boolean | Promise<boolean>;
}

/** The token of an app that is installed in one workspace, by hand. */
export interface ConfiguredToken extends BotToken {
  readonly current: () => string;
  readonly renew: (refused: string) => boolean;
}

export interface BotTokenOptions {
  readonly token: string;
  /** Where the token was read from; without it there is nothing to renew it from. */
  readonly path?: string | undefined;
  readonly onRenewed: () => void;
  /** Told why the file gives no other token. Never holds what is in it. */
  readonly onNotRenewed: (why: string) => void;
}

/** A token that is read from its file again once Slack does not take it any more. */
export function createBotToken({ token, path, onRenewed, onNotRenewed }: BotTokenOptions): ConfiguredToken {
  let current = token;
  return {
    current: () => current,
    renew: (refused) => {
      if (refused !== current) return true;
      const read = path === undefined ? { problem: "no file is named for it" } : readToken(path);
      if ("problem" in read || read.token === current) {
        onNotRenewed("problem" in read ? read.problem : "the file still holds the token that was refused");
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
    return token === undefined ? { problem: "the file holds no bot token" } : { token };
  } catch (error) {
    return { problem: `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? "unreadable"})` };
  }
}
