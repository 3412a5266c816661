import { readFileSync } from "node:fs";
import { WebClient, type WebClientOptions } from "@slack/web-api";
import { type Logger as SlackLogger, LogLevel } from "@slack/bolt";
import { readCallError, SlackCallError } from "./slack-call-error.ts";
import { slackVariables } from "./slack-variables.ts";

/** The bot's token, which can change while the app runs. */
export interface BotToken {
  /** Rejects with a `SlackCallError` if there is no token. */
  readonly current: () => string | Promise<string>;
  /** Looks for a new token after Slack has refused this one. Returns true if `current` now returns a new one. */
  readonly renew: (refused: string) => boolean | Promise<boolean>;
}

/** Makes the token of an app that was installed manually in one workspace. It is read again from its file after Slack refuses it. */
export function createBotToken(options: {
  readonly token: string;
  /** The token's file; without it the token cannot be renewed. */
  readonly path?: string;
  readonly onRenewed: () => void;
  /** Called with the reason when the file has no new token. The reason never contains the file's content. */
  readonly onNotRenewed: (why: string) => void;
}): BotToken & { readonly current: () => string } {
  const { path, onRenewed, onNotRenewed } = options;
  let current = options.token;
  return {
    current: (): string => current,
    renew: (refused: string): boolean => {
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

/** Slack's own clients for one token. */
export interface SlackClients {
  /** Retries calls three times, within seconds. */
  readonly client: WebClient;
  /** Makes each call once. */
  readonly once: WebClient;
  /** Makes each call once, without delaying others. */
  readonly streaming: WebClient;
}

/** The SDK sends the `alt_text` of an upload, which Slack ignores. https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
class SlackClient extends WebClient {
  override apiCall(method: string, options: Record<string, unknown> = {}) {
    const { alt_text: alt_txt, ...others } = options;
    const isUpload = method === "files.getUploadURLExternal" && alt_txt !== undefined;
    return super.apiCall(method, isUpload ? { ...others, alt_txt } : options);
  }
}

/** Makes a call with the current token. `method` is its name in errors. */
export type CallSlack = <T>(method: string, call: (clients: SlackClients) => Promise<T>) => Promise<T>;

/**
 * Slack's errors for a token that was replaced, revoked or has expired, or whose app was removed and reinstalled.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
const refusedTokens: ReadonlySet<string> = new Set([
  "invalid_auth",
  "token_revoked",
  "token_expired",
  "account_inactive",
]);

/**
 * Makes calls with the current token. If Slack refuses the token and a new one exists, the call is repeated with it; a call refused for its
 * token had no effect. Rejects only with `SlackCallError`.
 */
export function createTokenClients(token: BotToken, options: WebClientOptions): CallSlack {
  const make = (current: string): SlackClients & { readonly token: string } => ({
    token: current,
    client: new WebClient(current, { ...options, retryConfig: { retries: 3, minTimeout: 500, factor: 2 } }),
    once: new SlackClient(current, { ...options, retryConfig: { retries: 0 } }),
    streaming: new WebClient(current, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }),
  });
  let clients: ReturnType<typeof make> | undefined;
  const ofNow = async (): Promise<ReturnType<typeof make>> => {
    const current = await token.current();
    if (clients?.token !== current) clients = make(current);
    return clients;
  };

  return async (method, call) => {
    try {
      const used = await ofNow();
      try {
        return await call(used);
      } catch (error) {
        const failure = toCallError(method, error);
        if (!refusedTokens.has(failure.code) || !(await token.renew(used.token))) throw failure;
      }
      return await call(await ofNow());
    } catch (error) {
      throw toCallError(method, error);
    }
  };
}

function toCallError(method: string, error: unknown): SlackCallError {
  return error instanceof SlackCallError ? error : readCallError(method, error);
}

/**
 * Makes a logger for Slack's packages that passes on their warnings and errors as remarks; the zone logs what they mean elsewhere. Only the
 * beginning of the first text is kept, because the rest may quote a message. Debug output is dropped, because it contains whole events.
 */
export function createSdkLogger(onRemark: (level: "warn" | "error", text: string) => void): SlackLogger {
  const say =
    (level: "warn" | "error") =>
    (...parts: unknown[]): void => {
      const [first] = parts;
      const text = first instanceof Error ? first.name : String(first);
      onRemark(level, text.split(":", 1).join("").slice(0, 120));
    };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: say("warn"),
    error: say("error"),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
