import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest, type RequestListener } from "node:http";
import { json } from "node:stream/consumers";
import { adminToken, startAdminApi } from "@crosszone/admin-api/testing";
import { createAppendAudit, createRecordRefusal, type RecordAct } from "@crosszone/audit";
import type { AuditEvent, TokenScope } from "@crosszone/contracts";
import {
  answerJson,
  close,
  createHealth,
  createHttpServer,
  createRecordCodec,
  listen,
  surface as serveDoor,
} from "@crosszone/service-kit";
import { startIdentityProvider } from "@crosszone/testkit";
import { tempFile } from "@crosszone/testkit/temporary";
import type { JWTPayload } from "jose";
import { expect, onTestFinished } from "vitest";
import { type ApiRefusal } from "@crosszone/admin-api";
import type { AskService } from "../tasks/ask/ask-service.ts";
import type { Asker } from "../tasks/ask/asker.ts";
import { loadExecutionConfig } from "../zone/config/config.ts";
import type { AskRoutesDeps, AskSurface } from "../doors/ask-routes-deps.ts";
import { writeA2aRefusal } from "../doors/a2a/a2a-errors.ts";
import { createBadRequest, writeRpcRefusal } from "../doors/serve-route.ts";
import { openAsk, openAsking, openStoredRoom } from "../zone/open-asking.ts";
import { createInputRoutes } from "../doors/api/input-routes.ts";
import { createTokenRoutes } from "../doors/api/token-routes.ts";
import { newInput, payment } from "./new-input.ts";
import { openInputsOf } from "./open-inputs.ts";
import { openTestSettings } from "./open-test-settings.ts";
import { TokenUses } from "../people/token-uses.ts";
import { createTokenStore } from "../people/token-store.ts";

export const askUrl = "https://ask.example.com";
export const issuer = "https://login.example.com";
export const other = "https://other.example.com";

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
  const programsOf = (text: string) => `programs:\n${`${head}\n${text}`.replaceAll(/^/gm, "  ")}`;
  const file = tempFile("execution.yaml", programsOf(askers));
  const mint = (changed: JWTPayload = {}): Promise<string> => idp.mint({ sub: "robot", aud: askUrl, ...changed });
  return { idp, stranger, mint, file, edit: (text: string) => writeFileSync(file, programsOf(text)) };
}

export interface RawRequest {
  readonly body?: string | Uint8Array | undefined;
  /** Raw: name, value, name, value. */
  readonly headers?: readonly string[];
  readonly method?: string;
  readonly host?: string;
}

/**
 * Serves a listener. The function that it returns sends a request with raw headers (name, value, name, value), and resolves with the status,
 * headers and body of the answer, which is JSON.
 */
export async function serveAsk(
  listener: RequestListener | undefined,
  onBadRequest: ReturnType<typeof createBadRequest>,
) {
  const server = createHttpServer(listener ?? (() => undefined), { onBadRequest });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const send = async (
    path: string,
    { method = "POST", headers = [], host = "localhost", body: sent = "" }: RawRequest = {},
  ) => {
    const request = httpRequest({ port, path, method, headers: ["host", host, ...headers], agent: false });
    // The server closes the connection of some refused requests.
    request.on("error", () => undefined).end(sent);
    const [response] = (await once(request, "response")) as [IncomingMessage];
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
  const { values: config } = loadExecutionConfig({ ASK_PORT: "0", EXECUTION_FILE: issuers.file, ...env });
  const append = createAppendAudit({ engine: zone.database.engine, codec: createRecordCodec(undefined) });
  const tokens = { tokens: () => [adminToken], stored, onUse: uses.count };
  const record: RecordAct = (act) => append(zone.database.db, [act]);
  const settings = await openTestSettings(config, { emit, record });
  const asking = await openAsking({ config, settings }, { tokens, record, stored: openStoredRoom(zone) });
  if (asking === undefined) throw new Error("ASK_PORT is not set");
  const served: AskRoutesDeps[] = [];
  const routes = (surface: AskSurface) => (deps: AskRoutesDeps) => {
    served.push(deps);
    return serveDoor<Asker>({
      ...deps.door(surface),
      serve: ({ response }, { who }) => answerJson(response, 200, JSON.stringify(who)),
      write: surface === "a2a" ? writeA2aRefusal : writeRpcRefusal,
    });
  };
  const parts = { health: createHealth(), emit, version: "1.0.0" };
  // These routes ask nothing.
  const showing = { ask: undefined as unknown as AskService, protocols: { a2a: routes("a2a"), mcp: routes("mcp") } };
  const surface = openAsk(config, asking, { ...parts, ...(ask === undefined ? showing : { ask }) });
  const { send, at } = await serveAsk(surface, createBadRequest(emit));
  const bearer = (token: string): readonly string[] => ["authorization", `Bearer ${token}`];
  /** Every rejected act at the listener. */
  const rejections = async () => {
    const rows = await zone.database.db.selectFrom("audit_event").selectAll().orderBy("id").execute();
    return rows.map(({ event }) => JSON.parse(event) as AuditEvent).filter(({ action }) => action.startsWith("ask."));
  };
  return { ...zone, ...issuers, send, at, bearer, rejections, served };
}

export type StartedAsk = Awaited<ReturnType<typeof startAsk>>;

export const inputId = newInput().request_id;
const day = 86_400;

/** Starts the API with its tokens and an input request whose content is planted. */
export async function startTokens(url: string) {
  const { requests, database, events, emit } = await openInputsOf({ url });
  await requests.ask(newInput({ body: "planted", action: payment(1) }));
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
  const record = createRecordRefusal((act) => append(database.db, [act]));
  const onRefused = (refusal: ApiRefusal) => record(refusal).catch(() => undefined);
  const stored = createTokenStore(database, append);
  const uses = new TokenUses(database, { append, emit, retentionMs: 400 * day * 1_000 });
  onTestFinished(uses.close);
  const audited = async () => {
    const rows = await database.db.selectFrom("audit_event").selectAll().orderBy("id").execute();
    return rows.filter(({ action }) => /^(token|api)\./.test(action));
  };
  const parts = [createTokenRoutes(stored, uses, emit), createInputRoutes(requests, async () => undefined)];
  const api = await startAdminApi({ parts, stored, onRefused, onUse: uses.count, heartbeatMs: 20 });
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  /** Creates a token and returns its text. */
  const create = async (
    name: string,
    scopes: readonly TokenScope[],
    { by = adminToken, ...more }: { by?: string; expires_in?: number } = {},
  ) => {
    const { status, body } = await api.ask("POST /tokens", { name, scopes, expires_in: 3_600, ...more }, as(by));
    expect([name, status, body?.["detail"]]).toEqual([name, 201, undefined]);
    return String(body?.["token"]);
  };
  return { ...api, database, stored, uses, events, emit, audited, create, as };
}
