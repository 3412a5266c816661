import type { RequestListener } from "node:http";
import type { Control } from "../control/control.ts";
import type { GuideSection } from "../protocol/guide.ts";
import type { Workspace } from "../protocol/workspace.ts";
import type { RateLimits } from "../web-api/rate-limit.ts";
import type { WorkspaceNames } from "../workspace/seed-workspace.ts";
import { randomBytes } from "node:crypto";

/** Options of a local Slack. All have defaults. */
export interface DevSlackOptions {
  /** The address to listen on, default 127.0.0.1. In a container `0.0.0.0`: requests must still name this machine as their host. */
  host?: string;
  /** 0, the default, selects a free port. */
  port?: number;
  /** The origin that Socket Mode connects to, of a proxy before the local Slack. Default: its own. */
  socketOrigin?: string;
  /** The app's events URL; can be set later. */
  eventsUrl?: string;
  /** Random for each run by default. */
  secrets?: Partial<DevSecrets>;
  /** The target of the tap, e.g. `http://127.0.0.1:4000`. */
  upstream?: string;
  /** Pauses before each retry of an event, milliseconds. Default: Slack's own: none, one minute, five minutes. */
  retryScheduleMs?: readonly number[];
  /** Timeout for the app's acknowledgment of an event, milliseconds. Default 3,000. */
  ackTimeoutMs?: number;
  /** Overrides of Slack's rate limits, e.g. `{ post_message: { burst: 1, per_minute: 60 } }`. */
  rateLimits?: Partial<RateLimits>;
  /**
   * The JSON of the app's manifest: its scopes, events, slash commands and shortcuts. Slack refuses an invalid one. Default: an app with all
   * scopes and events, `/agents` and `/usage`, and no shortcut.
   */
  manifest?: unknown;
  /** The scopes of the bot token, if they differ from the manifest's. */
  scopes?: readonly string[];
  /** How long a command's answers are accepted, milliseconds. Default: Slack's half hour. */
  responseUrlLifetimeMs?: number;
  /** How long a trigger id can open a view, milliseconds. Default: Slack's three seconds. */
  triggerLifetimeMs?: number;
  /** How long a stream accepts content, milliseconds. Default: Slack's five minutes. */
  streamLifetimeMs?: number;
  /** The names of the workspace and its bot. */
  names?: WorkspaceNames;
  /** The file that keeps the workspace from one start to the next. Default: it is forgotten. */
  file?: string;
  /** Returns the sections of the page Connect. Default: none, and the page has no such view. */
  guide?: () => readonly GuideSection[];
  /** Whether the app is installed from the start, the default. Until it is, all tokens are invalid and nothing is delivered. */
  installed?: boolean;
  /** The URL under which an app reaches this Slack if it differs from the listening address; without a slash at the end. */
  publicUrl?: string;
}

/** A running local Slack. */
export interface DevSlack extends DevSecrets {
  /** URL of the page, without a slash at the end. */
  url: string;
  /** For `slackApiUrl` of Slack's clients. */
  apiUrl: string;
  /** Proxies the upstream: `<tapUrl>/rpc` forwards to `<upstream>/rpc`. */
  tapUrl: string;
  /** The people and conversations of the workspace, including conversations opened later. */
  workspace: Workspace;
  control: Control;
  setEventsUrl(url: string | undefined): void;
  /**
   * Issues another bot token, as each installation does; earlier ones stay valid. With a lifetime, in milliseconds, it expires. The app is
   * installed from now on.
   */
  issueBotToken(lifetimeMs?: number): string;
  /** Returns true if the token was issued by this workspace, even if it is no longer valid. */
  knows(token: string): boolean;
  /**
   * Uninstalls the app, as the workspace's admin would: its tokens are revoked, it gets the events, and nothing is delivered afterwards.
   */
  uninstall(): void;
  /** Handles a request that another server received. */
  handle: RequestListener;
  /** Ends deliveries, sockets, streams and the server; afterwards nothing keeps the process alive. */
  close(): Promise<void>;
}

/** The default scopes of the bot token: all scopes that the local Slack's methods require. */
export const BOT_SCOPES: readonly string[] = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "channels:join",
  "channels:read",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "groups:read",
  "im:history",
  "im:read",
  "im:write",
  "mpim:history",
  "mpim:read",
  "mpim:write",
  "reactions:read",
  "team:read",
  "usergroups:read",
  "users:read",
  "users:read.email",
];

/** The secrets that an app shares with Slack. */
export interface DevSecrets {
  signingSecret: string;
  /** Starts with `xoxb-`. */
  botToken: string;
  /** Starts with `xapp-`; for Socket Mode. */
  appToken: string;
}

/** Returns the secrets of this run: the given ones, and random ones for the rest. Throws if one is empty or two are equal. */
export function devSecrets(given: Partial<DevSecrets> = {}): DevSecrets {
  const random = (): string => randomBytes(16).toString("hex");
  const secrets = {
    signingSecret: given.signingSecret ?? random(),
    botToken: given.botToken ?? `xoxb-0-0-${random()}`,
    appToken: given.appToken ?? `xapp-1-A0CROSSZONE-0-${random()}`,
  };
  const values = Object.values(secrets);
  if (values.includes("") || new Set(values).size < values.length) {
    throw new Error("the signing secret and the tokens must be set and differ from each other");
  }
  return secrets;
}
