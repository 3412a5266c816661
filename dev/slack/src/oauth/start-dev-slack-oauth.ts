import express from "express";
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { BOT_SCOPES, type DevSlack, type DevSlackOptions } from "../server/dev-slack.ts";
import { answerRest, listen, localOnly } from "../server/create-http-app.ts";
import { startDevSlack } from "../server/start-dev-slack.ts";
import type { WorkspaceNames } from "../workspace/seed-workspace.ts";
import { authorizeRoutes } from "./authorize-routes.ts";
import { createGrants, oauthAccess } from "./grants.ts";

/** Options of local workspaces in which an app can be installed. */
export interface DevSlackOAuthOptions {
  port?: number;
  /** At least one; two by default. */
  workspaces?: readonly WorkspaceNames[];
  /** Options of each workspace. */
  slack?: Omit<DevSlackOptions, "port" | "names" | "installed" | "publicUrl">;
  /** Lifetime of a code, milliseconds. Default: Slack's ten minutes. */
  codeLifetimeMs?: number;
  /** Lifetime of a token, milliseconds. If set, token rotation is on: tokens expire and come with a refresh token. */
  tokenLifetimeMs?: number;
}

/** Running local workspaces behind one URL, and an app that can be installed in them. */
export interface DevSlackOAuth {
  url: string;
  /** For `slackApiUrl` of Slack's clients, with a token of any workspace. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  slacks: readonly DevSlack[];
  /** Every code and token that was issued to the app so far. */
  handedOut: readonly string[];
  /** Sets the app's events URL in each workspace, and its redirect URL. */
  setApp(app: { eventsUrl: string; redirectUrl: string }): void;
  close(): Promise<void>;
}

const TWO_WORKSPACES: readonly WorkspaceNames[] = [
  { team_id: "T0NORTH0001", name: "North", bot_user_id: "U0NORTHBOT1", bot_id: "B0NORTH0001" },
  { team_id: "T0SOUTH0001", name: "South", bot_user_id: "U0SOUTHBOT1", bot_id: "B0SOUTH0001" },
];

/**
 * Starts local workspaces behind one URL, which routes calls by their token, and lets an app be installed in them by OAuth:
 * `/oauth/v2/authorize` and `oauth.v2.access`. Until an app is installed in a workspace, all tokens are invalid there and nothing is
 * delivered. The workspaces differ only in their own ids and those of their bots. People and conversations have the same ids in each, which
 * reveals code that mixes up workspaces. Rejects if the port is taken.
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

/** Routes a call to the workspace of its token, and a link to the workspace that issued it. */
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
