import type { RequestListener } from "node:http";
import type { Control } from "../control/control.ts";
import type { Workspace } from "../protocol/workspace.ts";
import type { RateLimits } from "../web-api/rate-limit.ts";
import type { WorkspaceNames } from "../workspace/seed-workspace.ts";
import type { DevSecrets } from "./app-credentials.ts";

/** Options of a local Slack. All have defaults. */
export interface DevSlackOptions {
  /** The address to listen on, default 127.0.0.1. In a container `0.0.0.0`: requests must still name this machine as their host. */
  host?: string;
  /** 0, the default, selects a free port. */
  port?: number;
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
  /** The scopes of the bot token. Default: all scopes that the local Slack uses. */
  scopes?: readonly string[];
  /** The app's slash commands, as in its manifest. Default: `/agents` and `/usage`. None without the scope `commands`. */
  commands?: readonly string[];
  /** How long a command's answers are accepted, milliseconds. Default: Slack's half hour. */
  responseUrlLifetimeMs?: number;
  /** How long a stream accepts content, milliseconds. Default: Slack's five minutes. */
  streamLifetimeMs?: number;
  /** The names of the workspace and its bot. */
  names?: WorkspaceNames;
  /** The file that keeps the workspace from one start to the next. Default: it is forgotten. */
  file?: string;
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
  /** Replaces the bot token: `botToken` changes, and the previous token gets `token_revoked`. */
  rotateBotToken(): void;
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
