import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener } from "node:http";
import express from "express";
import { BOT_SCOPES } from "../bot-scopes.ts";
import { answerRest } from "../http/answer-rest.ts";
import { listen } from "../http/listen.ts";
import { localOnly } from "../http/local-only.ts";
import { startDevSlack } from "../start-dev-slack.ts";
import type { DevSlack, DevSlackOptions } from "../start-dev-slack.ts";
import type { WorkspaceNames } from "../workspace/seed-workspace.ts";
import { authorizeRoutes } from "./authorize-routes.ts";
import { createGrants } from "./grants.ts";
import { oauthAccess } from "./oauth-access.ts";

/** How local workspaces start that an app is to be installed in. */
export interface DevSlackOAuthOptions {
  port?: number;
  /** At least one; two by default. */
  workspaces?: readonly WorkspaceNames[];
  /** For each workspace. */
  slack?: Omit<DevSlackOptions, "port" | "names" | "installed" | "publicUrl">;
  /** How long a code is good, milliseconds. Default: Slack's ten minutes. */
  codeLifetimeMs?: number;
  /** With it tokens expire, and come with a refresh token: token rotation is on. Milliseconds. */
  tokenLifetimeMs?: number;
}

/** Running local workspaces behind one address, and an app that can be installed in them. */
export interface DevSlackOAuth {
  url: string;
  /** For `slackApiUrl` of Slack's clients, whatever workspace their token is of. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  slacks: readonly DevSlack[];
  /** Every code and token that was given to the app so far. */
  handedOut: readonly string[];
  /** Tells each workspace where the app takes events, and Slack where people may be sent back to. */
  setApp(app: { eventsUrl: string; redirectUrl: string }): void;
  close(): Promise<void>;
}

const TWO_WORKSPACES: readonly WorkspaceNames[] = [
  { team_id: "T0NORTH0001", name: "North", bot_user_id: "U0NORTHBOT1", bot_id: "B0NORTH0001" },
  { team_id: "T0SOUTH0001", name: "South", bot_user_id: "U0SOUTHBOT1", bot_id: "B0SOUTH0001" },
];

/**
 * Starts local workspaces behind one address, which knows by a token whose call it is, and lets an app be installed in them by OAuth:
 * `/oauth/v2/authorize` and `oauth.v2.access`. Before an app is installed in a workspace, no token is good there and nothing is delivered.
 * The workspaces differ in their own ids and their bots'; people and conversations have the same ids in each, so that whoever mixes
 * them up is found out.
 */
export async function startDevSlackOAuth(options: DevSlackOAuthOptions = {}): Promise<DevSlackOAuth> {
  const { workspaces = TWO_WORKSPACES, codeLifetimeMs = 600_000, tokenLifetimeMs } = options;
  const server = createServer();
  const url = await listen(server, options.port ?? 0);
  const signingSecret = options.slack?.secrets?.signingSecret ?? randomBytes(16).toString("hex");
  const slacks: DevSlack[] = [];
  for (const names of workspaces) {
    const secrets = { ...options.slack?.secrets, signingSecret };
    const publicUrl = `${url}/workspaces/${names.team_id}`;
    slacks.push(await startDevSlack({ ...options.slack, secrets, names, publicUrl, installed: false }));
  }
  const client = { clientId: `${Date.now()}.${Date.now()}`, clientSecret: randomBytes(16).toString("hex") };
  const grants = createGrants({ codeLifetimeMs, tokenLifetimeMs });
  const redirectUrls: string[] = [];

  const own = express();
  own.disable("x-powered-by");
  own.use(localOnly);
  own.use(authorizeRoutes({ ...client, redirectUrls, slacks, scopes: BOT_SCOPES, grants }));
  own.post("/api/oauth.v2.access", express.raw({ type: () => true }), async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { authorization = "", "content-type": contentType = "" } = request.headers;
    const call = { httpMethod: request.method, contentType, authorization, query: new URLSearchParams(), body };
    response.json(await oauthAccess(call, { client, grants }));
  });
  own.use((_request, response) => answerRest(response, undefined));
  server.on("request", (request, response) => handlerOf(request, { slacks, own })(request, response));

  return {
    ...client,
    url,
    apiUrl: `${url}/api/`,
    signingSecret,
    slacks,
    handedOut: grants.handedOut,
    setApp: ({ eventsUrl, redirectUrl }) => {
      redirectUrls.splice(0, Infinity, redirectUrl);
      for (const slack of slacks) slack.setEventsUrl(eventsUrl);
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all(slacks.map((slack) => slack.close()));
      await closed;
    },
  };
}

/** A call goes to the workspace that its token is of; what a workspace hands out a link to, to that one. */
function handlerOf(
  request: IncomingMessage,
  { slacks, own }: { slacks: readonly DevSlack[]; own: RequestListener },
): RequestListener {
  const path = request.url ?? "";
  if (path.startsWith("/api/") && !path.startsWith("/api/oauth.v2.access")) {
    const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    return slacks.find((slack) => slack.knows(token))?.handle ?? slacks[0]?.handle ?? own;
  }
  const [, team, rest = ""] = /^\/workspaces\/(\w+)(\/.*)$/.exec(path) ?? [];
  const slack = slacks.find(({ workspace }) => workspace.team.id === team);
  if (slack === undefined) return own;
  request.url = rest;
  return slack.handle;
}
