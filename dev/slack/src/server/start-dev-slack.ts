import { createServer } from "node:http";
import { Agent } from "undici";
import { createResponseUrlStore } from "../commands/command-replies.ts";
import { createControl } from "../control/create-control.ts";
import { createEventDelivery, type EventDelivery } from "../events/event-delivery.ts";
import { appUninstalledEvent, tokensRevokedEvent } from "../events/event-envelope.ts";
import { createRedactor, createTrafficLog } from "../traffic/traffic-log.ts";
import { type BotTokens, createBotTokens } from "../web-api/bot-tokens.ts";
import { createFaultQueue } from "../web-api/web-api-routes.ts";
import { createFileFaults } from "../web-api/file-routes.ts";
import { createRateLimiter, SLACK_RATE_LIMITS } from "../web-api/rate-limit.ts";
import { seedWorkspace } from "../workspace/seed-workspace.ts";
import { openStorage } from "../workspace/storage.ts";
import { createWorkspaceState, type WorkspaceState } from "../workspace/workspace-state.ts";
import { BOT_SCOPES, devSecrets, type DevSecrets, type DevSlack, type DevSlackOptions } from "./dev-slack.ts";
import { isSubscribed, readAppManifest } from "./app-manifest.ts";
import { createHttpApp, type HttpAppParts, listen, refusal } from "./create-http-app.ts";

/** Slack's own retry schedule. See https://docs.slack.dev/apis/events-api#retries */
const SLACK_RETRY_SCHEDULE_MS = [0, 60_000, 300_000];

/**
 * Starts a local Slack: Web API, Events API, Socket Mode, control API, the tap and the browser page. Rejects if the port is taken
 * (`EADDRINUSE`) or the manifest is invalid, and always if NODE_ENV is `production`: it is for development and tests only.
 */
export async function startDevSlack(options: DevSlackOptions = {}): Promise<DevSlack> {
  // oxlint-disable-next-line node/no-process-env -- a guard that no caller can forget
  const { NODE_ENV } = process.env;
  if (NODE_ENV === "production") throw new Error("the local Slack does not run with NODE_ENV=production");
  const secrets = devSecrets(options.secrets);
  const app = { ...options, ...declared(options) };
  const server = createServer();
  const url = await listen(server, options.port ?? 0, options.host);
  const parts = createParts(app, secrets, url);
  const { botTokens, control, delivery, state } = parts;
  const tapAgent = new Agent();
  const { guide = () => [] } = options;
  const handle = createHttpApp({ ...parts, guide, tap: { upstream: options.upstream, dispatcher: tapAgent } });
  server.on("request", handle);
  server.on("upgrade", (request, socket, head) => {
    if (refusal(request) === undefined && state.outage.kind !== "away") delivery.hub.upgrade(request, socket, head);
    else socket.destroy();
  });

  return {
    ...secrets,
    ...installation(parts),
    get botToken() {
      return botTokens.current;
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
      await delivery.close();
      server.closeAllConnections();
      await tapAgent.destroy();
      await closed;
      state.storage.close();
    },
  };
}

interface SlackParts extends Omit<HttpAppParts, "tap" | "guide"> {
  readonly botTokens: BotTokens;
  readonly delivery: EventDelivery;
  readonly state: WorkspaceState;
}

/** Returns what the app declares. Throws if the manifest is invalid. */
function declared(options: DevSlackOptions) {
  const manifest = options.manifest === undefined ? undefined : readAppManifest(options.manifest);
  const { events, shortcuts = [], commands = ["/agents", "/usage"], scopes = BOT_SCOPES } = manifest ?? {};
  return { events, shortcuts, commands, scopes: options.scopes ?? scopes };
}

/** Makes everything but the server. */
function createParts(
  options: DevSlackOptions & ReturnType<typeof declared>,
  secrets: DevSecrets,
  url: string,
): SlackParts {
  const { ackTimeoutMs = 3000, eventsUrl, retryScheduleMs = SLACK_RETRY_SCHEDULE_MS, installed = true } = options;
  const { scopes, commands, events, shortcuts } = options;
  const storage = options.file === undefined ? undefined : openStorage(options.file);
  const state = createWorkspaceState(seedWorkspace(options.names), options.publicUrl ?? url, { ...options, storage });
  state.directory.workspace.app.shortcuts = shortcuts;
  // The redactor recognizes bot tokens by their format, including later ones.
  const traffic = createTrafficLog(state.feed, createRedactor(Object.values(secrets)));
  const botTokens = createBotTokens(secrets.botToken, state.storage);
  if (!installed) botTokens.revokeAll();
  const delivery = createEventDelivery({
    state,
    traffic,
    signingSecret: secrets.signingSecret,
    eventsUrl,
    ackTimeoutMs,
    retryScheduleMs,
    isSubscribed: (event) => isSubscribed(event, scopes, events),
  });
  delivery.setInstalled(botTokens.stateOf(botTokens.current) !== "token_revoked");
  const shared = {
    state,
    delivery,
    traffic,
    faults: createFaultQueue(),
    fileFaults: createFileFaults(),
    responseUrls: createResponseUrlStore(state, options.responseUrlLifetimeMs),
  };
  const control = createControl({
    ...shared,
    commands: () => (delivery.isInstalled() && scopes.includes("commands") ? commands : []),
  });
  const webApi = {
    state,
    events: delivery.events,
    limiter: createRateLimiter({ ...SLACK_RATE_LIMITS, ...options.rateLimits }),
    botTokens,
    appToken: secrets.appToken,
    scopes,
    openSocketUrl: () => (options.socketOrigin ?? url).replace(/^http/, "ws") + delivery.hub.openLink(),
  };
  return { ...shared, botTokens, control, webApi };
}

/** The changes of the app's installation and of its tokens. */
function installation({
  botTokens,
  delivery,
  state,
}: SlackParts): Pick<DevSlack, "issueBotToken" | "knows" | "uninstall"> {
  return {
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
  };
}
