import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest, type RequestListener, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { adminToken } from "@crosszone/admin-api/testing";
import { createAppendAudit } from "@crosszone/audit";
import type { AuditEvent } from "@crosszone/contracts";
import {
  answerJson,
  close,
  createHealth,
  createHttpServer,
  createRecordCodec,
  type Emit,
  listen,
} from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { startIdentityProvider } from "@crosszone/testkit";
import { tempFile } from "@crosszone/testkit/temporary";
import type { JWTPayload } from "jose";
import { onTestFinished } from "vitest";
import type { AskService } from "../ask/ask-service.ts";
import { loadExecutionConfig } from "../config/config.ts";
import type { AskRoutesDeps, AskSurface } from "../http/ask-routes-deps.ts";
import { createBadRequest } from "../http/serve-route.ts";
import { openAsk, openAsking } from "../roles/open-ask.ts";
import { startTokens } from "./token-attacks.ts";

export const askUrl = "https://ask.example.com";
export const issuer = "https://login.example.com";
export const other = "https://other.example.com";

/** A request. `headers` are raw: name, value, name, value. */
export interface Sent {
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly host?: string;
  readonly body?: string;
}

/** What may ask, after the two issuers. */
const askers = `askers:
  - {token: ci, agents: [builtin], per_minute: 100, budget: bots}
  - {token: slow, agents: ["*"], per_minute: 2}
  - {subject: {issuer: ${issuer}, sub: robot}, agents: ["*"], open_tasks: 3}
  - {subject: {issuer: ${issuer}, email: dev@example.com}, agents: [builtin]}`;

/** Starts two issuers, and writes a file of askers that trusts them. */
async function startIssuers(audience: string) {
  const [idp, stranger] = [await startIdentityProvider(issuer), await startIdentityProvider(issuer)];
  onTestFinished(async () => void (await Promise.all([idp.service.stop(), stranger.service.stop()])));
  const head = `issuers:
  - {issuer: ${issuer}, jwks: ${idp.jwksUrl}${audience}}
  - {issuer: ${other}, jwks: ${stranger.jwksUrl}, audience: crosszone}`;
  const file = tempFile("askers.yaml", `${head}\n${askers}`);
  const mint = (changed: JWTPayload = {}): Promise<string> => idp.mint({ sub: "robot", aud: askUrl, ...changed });
  return { idp, stranger, mint, file, edit: (text: string) => writeFileSync(file, `${head}\n${text}`) };
}

/** Serves a listener. The function that it returns sends a request, and resolves with the status, headers and body of the answer, which is JSON. */
async function serveAsk(listener: RequestListener | undefined, emit: Emit<ExecutionEvent>) {
  const server = createHttpServer(listener ?? (() => undefined), { onBadRequest: createBadRequest(emit) });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const send = async (
    path: string,
    { method = "POST", headers = [], host = "localhost", body: sentBody }: Sent = {},
  ) => {
    const sent = httpRequest({ port, path, method, headers: ["host", host, ...headers], agent: false });
    // The server closes the connection of some refused requests.
    sent.on("error", () => undefined).end(sentBody);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const body = (await json(response)) as Readonly<Record<string, unknown>>;
    return { status: response.statusCode ?? 0, headers: response.headers as Readonly<Record<string, unknown>>, body };
  };
  return { send, at: `http://127.0.0.1:${port}` };
}

/** Starts the listener for programs in front of the agents of `ask`, or else of routes that answer with the program. Ends with the test. */
export async function startAsk(database: string, env: Record<string, string> = { ASK_URL: askUrl }, ask?: AskService) {
  const zone = await startTokens(database);
  const { emit, stored, uses } = zone;
  const issuers = await startIssuers(env["ASK_URL"] === undefined ? `, audience: ${askUrl}` : "");
  const { values: config } = loadExecutionConfig({ ASK_PORT: "0", ASK_FILE: issuers.file, ...env });
  const append = createAppendAudit({ engine: zone.database.engine, codec: createRecordCodec(undefined) });
  const tokens = { tokens: () => [adminToken], stored, onUse: uses.count };
  const asking = await openAsking({ config, emit }, tokens, (act) => append(zone.database.db, [act]));
  onTestFinished(() => asking?.file.close());
  const served: AskRoutesDeps[] = [];
  const routes = (surface: AskSurface) => (deps: AskRoutesDeps) => {
    served.push(deps);
    return async (request: IncomingMessage, response: ServerResponse) => {
      const asker = await deps.authenticate(request, response, surface);
      if (asker !== undefined) answerJson(response, 200, JSON.stringify(asker));
    };
  };
  const parts = { config, asking, health: createHealth(), emit, version: "1.0.0" };
  // These routes ask nothing.
  const showing = { ask: undefined as unknown as AskService, protocols: { a2a: routes("a2a"), mcp: routes("mcp") } };
  const { send, at } = await serveAsk(openAsk({ ...parts, ...(ask === undefined ? showing : { ask }) }), emit);
  const bearer = (token: string): readonly string[] => ["authorization", `Bearer ${token}`];
  /** Every rejected act at the listener. */
  const rejections = async () => {
    const rows = await zone.database.db.selectFrom("audit_event").selectAll().orderBy("id").execute();
    return rows.map(({ event }) => JSON.parse(event) as AuditEvent).filter(({ action }) => action.startsWith("ask."));
  };
  return { ...zone, ...issuers, send, at, bearer, rejections, served };
}

export type StartedAsk = Awaited<ReturnType<typeof startAsk>>;
