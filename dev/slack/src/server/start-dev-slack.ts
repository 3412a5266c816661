import { createServer, type RequestListener } from "node:http";
import { Agent } from "undici";
import { createResponseUrlStore } from "../commands/command-replies.ts";
import type { Control } from "../control/control.ts";
import { createControl } from "../control/create-control.ts";
import { BOT_SCOPES, devSecrets, type DevSecrets } from "./app-credentials.ts";
import { createEventDelivery } from "../events/event-delivery.ts";
import { appUninstalledEvent, tokensRevokedEvent } from "../events/event-shapes.ts";
import { createHttpApp } from "./create-http-app.ts";
import { listen, refusal } from "./local-only.ts";
import type { Workspace } from "../protocol/workspace.ts";
import { createRedactor } from "../traffic/redact.ts";
import { createTrafficLog } from "../traffic/traffic-log.ts";
import { createBotTokens } from "../web-api/bot-tokens.ts";
import { createFileFaults } from "../web-api/file-faults.ts";
import { createRateLimiter, type RateLimits, SLACK_RATE_LIMITS } from "../web-api/rate-limit.ts";
import { createFaultQueue } from "../web-api/faults.ts";
import { seedWorkspace, type WorkspaceNames } from "../workspace/seed-workspace.ts";
import { createWorkspaceState } from "../workspace/workspace-state.ts";

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
  /** Timeout for the app's acknowledgement of an event, milliseconds. Default 3,000. */
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

/** Slack's own retry schedule. See https://docs.slack.dev/apis/events-api#retries */
const SLACK_RETRY_SCHEDULE_MS = [0, 60_000, 300_000];

/**
 * Starts a local Slack: Web API, Events API, Socket Mode, control API, the tap and the browser page. Rejects if the port is taken
 * (`EADDRINUSE`), and always if NODE_ENV is `production`: it is for development and tests only.
 */
export async function startDevSlack(options: DevSlackOptions = {}): Promise<DevSlack> {
  // oxlint-disable-next-line node/no-process-env -- a guard that no caller can forget
  const { NODE_ENV } = process.env;
  if (NODE_ENV === "production") throw new Error("the local Slack does not run with NODE_ENV=production");
  const { ackTimeoutMs = 3000, retryScheduleMs = SLACK_RETRY_SCHEDULE_MS, scopes = BOT_SCOPES, upstream } = options;
  const secrets = devSecrets(options.secrets);
  const server = createServer();
  const url = await listen(server, options.port ?? 0, options.host);

  const state = createWorkspaceState(seedWorkspace(options.names), options.publicUrl ?? url, options.streamLifetimeMs);
  // The redactor recognises bot tokens by their format, including later ones.
  const traffic = createTrafficLog(state.feed, createRedactor(Object.values(secrets)));
  const botTokens = createBotTokens(secrets.botToken);
  if (options.installed === false) botTokens.revokeAll();
  const faults = createFaultQueue();
  const fileFaults = createFileFaults();
  const { signingSecret } = secrets;
  const { eventsUrl } = options;
  const delivery = createEventDelivery({ state, traffic, signingSecret, eventsUrl, ackTimeoutMs, retryScheduleMs });
  delivery.setInstalled(options.installed ?? true);
  const { commands = ["/agents", "/usage"], responseUrlLifetimeMs } = options;
  const responseUrls = createResponseUrlStore(state.directory.workspace.team.id, responseUrlLifetimeMs);
  const control = createControl({
    state,
    responseUrls,
    commands: () => (delivery.isInstalled() && scopes.includes("commands") ? commands : []),
    delivery,
    faults,
    fileFaults,
    traffic,
    signingSecret,
    timeoutMs: ackTimeoutMs,
  });
  const tapAgent = new Agent();
  const webApi = {
    state,
    events: delivery.events,
    limiter: createRateLimiter({ ...SLACK_RATE_LIMITS, ...options.rateLimits }),
    botTokens,
    appToken: secrets.appToken,
    scopes,
    openSocketUrl: () => url.replace(/^http/, "ws") + delivery.hub.openLink(),
  };
  const handle = createHttpApp({
    webApi,
    responseUrls,
    faults,
    fileFaults,
    traffic,
    control,
    tap: { upstream, dispatcher: tapAgent },
  });
  server.on("request", handle);
  server.on("upgrade", (request, socket, head) => {
    if (refusal(request) === undefined) delivery.hub.upgrade(request, socket, head);
    else socket.destroy();
  });

  return {
    ...secrets,
    get botToken() {
      return botTokens.current;
    },
    rotateBotToken: () => {
      botTokens.revoke(botTokens.current);
      botTokens.issue();
    },
    issueBotToken: (lifetimeMs) => {
      delivery.setInstalled(true);
      return botTokens.issue(lifetimeMs);
    },
    knows: (token) => botTokens.stateOf(token) !== "invalid_auth",
    uninstall: () => {
      botTokens.revokeAll();
      delivery.events.send(tokensRevokedEvent(state));
      delivery.events.send(appUninstalledEvent(state));
      delivery.setInstalled(false);
    },
    handle,
    url,
    apiUrl: `${url}/api/`,
    tapUrl: `${url}/tap`,
    workspace: state.directory.workspace,
    control,
    setEventsUrl: (next) => delivery.setEventsUrl(next),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      state.streams.close();
      state.scheduled.close();
      await delivery.close();
      server.closeAllConnections();
      await tapAgent.destroy();
      await closed;
    },
  };
}
