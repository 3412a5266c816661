import type { IncomingMessage } from "node:http";
import { type ApiTokens, bootstrap, tokenDigest, findHolder } from "@crosszone/admin-api";
import { authorAct, createActLimit, type RecordAct } from "@crosszone/audit";
import { ZoneError } from "@crosszone/contracts";
import {
  correlationOfRequest,
  createTokenBuckets,
  type Emit,
  readBearer,
  requestIdOf,
  senderOf,
  untilRefused,
} from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { mayAsk } from "../agents/agent.ts";
import { type Asker, type AskGrant, type AskSettings, grantOfSubject, grantOfToken } from "../tasks/ask/asker.ts";
import { a2aRefusalText } from "./a2a/a2a-exchange.ts";
import type { AskRoutesDeps, AskSurface, RejectedAct } from "./ask-routes-deps.ts";
import type { VerifySubject } from "./auth/jwt-auth.ts";
import { metadataPath } from "./create-ask-app.ts";
import { type Refusal, type RefusalReason, refusalText, refuse } from "./serve-route.ts";

/** What the section `programs` says now. */
export interface AskAccess {
  readonly settings: AskSettings;
  /** The key that the settings name, PEM. */
  readonly cardKey?: string | undefined;
  /** Undefined without issuers. */
  readonly verifySubject?: VerifySubject | undefined;
}

interface AuthenticateAskerDeps {
  readonly tokens: ApiTokens;
  readonly access: () => AskAccess;
  readonly publicUrl: AskRoutesDeps["publicUrl"];
  readonly record: RecordAct;
  readonly emit: Emit<ExecutionEvent>;
}

/** A program whose credentials are valid. */
interface Program {
  readonly actor: string;
  readonly grant: AskGrant;
}

/** Why a request is refused, and whose it is. */
interface RefusedProgram {
  readonly reason: RefusalReason;
  readonly actor: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Authenticates programs by an API token with the scope `ask`, or by a token of an issuer in the settings. Records in the audit log what is refused. */
export function createAuthenticateAsker(deps: AuthenticateAskerDeps) {
  const { publicUrl, emit } = deps;
  const limits = new Map<number, ReturnType<typeof createTokenBuckets>>();
  /** Takes one request of a program. Returns 0, or the time to wait, milliseconds. */
  const takeRequest = (actor: string, perMinute: number): number =>
    limits.getOrInsertComputed(perMinute, () => createTokenBuckets({ capacity: perMinute, perMinute })).take(actor);
  const recordRejected = createRecordRejected(deps);

  const identify = async (request: IncomingMessage, surface: AskSurface): Promise<Program | RefusedProgram> => {
    try {
      const program = await findProgram(request, surface, deps);
      if ("grant" in program) deps.tokens.onUse?.({ actor: program.actor, from: senderOf(request), surface });
      const retryAfterMs = "grant" in program ? takeRequest(program.actor, program.grant.perMinute) : 0;
      return retryAfterMs === 0 ? program : { reason: "too_many", actor: program.actor, retryAfterMs };
    } catch (cause) {
      return { reason: "auth_unavailable", actor: "unknown", retryAfterMs: 1_000, cause };
    }
  };

  const authenticate: AskRoutesDeps["authenticate"] = async (request, response, surface) => {
    const found = await identify(request, surface);
    const from = senderOf(request);
    if ("grant" in found) return { actor: found.actor, from, ...found.grant };
    const { reason, actor } = found;
    const requestId = requestIdOf(response);
    const correlationId = correlationOfRequest(request.headers, requestId);
    if (reason !== "auth_unavailable")
      await recordRejected({ actor, from }, surface, { action: "ask.authenticate", because: reason, correlationId });
    const refusal = refusalOf(found, `${publicUrl(request)}${metadataPath}/${surface}`);
    const write = surface === "a2a" ? a2aRefusalText : refusalText;
    emit("http_refused", { ...refuse({ request, response, requestId, correlationId }, refusal, write), by: actor });
    return undefined;
  };

  /** Neither takes a request of the program's limit nor records anything. */
  const refusalOfHeld = async (request: IncomingMessage, surface: AskSurface, agent: string) => {
    const found = await findProgram(request, surface, deps);
    if (!("grant" in found)) return new ZoneError("unauthorized");
    return mayAsk(found.grant, agent) ? undefined : new ZoneError("unknown_agent", { agent });
  };

  const whileGranted: AskRoutesDeps["whileGranted"] = (request, response, { surface, agent }) =>
    untilRefused(response, () => refusalOfHeld(request, surface, agent));
  const rejected: AskRoutesDeps["rejected"] = (asker, surface, act) => void recordRejected(asker, surface, act);
  return { authenticate, whileGranted, rejected };
}

/** Returns the sender of a request, or why it has none. Rejects when its credentials can't be checked. */
async function findProgram(
  { headersDistinct }: IncomingMessage,
  surface: AskSurface,
  { tokens, access }: AuthenticateAskerDeps,
): Promise<Program | RefusedProgram> {
  const given = headersDistinct.authorization ?? [];
  const token = given.length === 1 ? readBearer(given[0]) : undefined;
  if (token === undefined) return { reason: "credentials_missing", actor: "unknown" };
  const { settings, verifySubject } = access();
  // An API token has no dot.
  if (verifySubject !== undefined && token.includes(".")) {
    const claims = await verifySubject(token, surface);
    if (typeof claims === "string") return { reason: claims, actor: "unknown" };
    return { actor: `subject:${claims.iss} ${claims.sub}`, grant: grantOfSubject(settings, claims) };
  }
  const digest = tokenDigest(token);
  const holder = await findHolder(tokens, digest);
  if (holder === undefined)
    return { reason: "token_wrong", actor: (await tokens.stored.findEnded(digest)) ?? "unknown" };
  const { actor, scopes } = holder;
  if (actor === bootstrap || !scopes.includes("ask")) return { reason: "missing_scope", actor };
  return { actor, grant: grantOfToken(settings, actor.replace(/^token:/, "")) };
}

/** Returns a function that records a rejected act, unless the same actor has had too many in the last minute. Never rejects. */
function createRecordRejected({ record, emit }: AuthenticateAskerDeps) {
  const isWithin = createActLimit();
  return async (
    { actor, from }: { readonly actor: string; readonly from?: Asker["from"] },
    surface: AskSurface,
    { action, because, correlationId = "" }: RejectedAct & { readonly correlationId?: string },
  ): Promise<void> => {
    if (!isWithin(actor)) return;
    const target = { type: "zone", id: "execution" };
    const act = authorAct({ actor, correlationId, from }, { action, target, details: { because } });
    await record({ ...act, surface, outcome: "rejected" }).catch((cause: unknown) => emit("http_failed", { cause }));
  };
}

/** https://www.rfc-editor.org/rfc/rfc9728#section-5.1 and https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
function refusalOf({ reason, retryAfterMs, cause }: RefusedProgram, metadataUrl: string): Refusal {
  if (reason === "too_many" || reason === "auth_unavailable") return { reason, retryAfterMs, cause };
  const errors: Partial<Record<RefusalReason, string>> = {
    credentials_missing: "",
    missing_scope: 'error="insufficient_scope", ',
  };
  const challenge = `Bearer ${errors[reason] ?? 'error="invalid_token", '}scope="ask", resource_metadata="${metadataUrl}"`;
  const message = reason === "credentials_missing" ? "send one token as Authorization: Bearer" : undefined;
  return { reason, message, headers: { "www-authenticate": challenge } };
}
