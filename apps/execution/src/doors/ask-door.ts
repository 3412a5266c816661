import type { IncomingMessage } from "node:http";
import { type ApiTokens, bootstrap, tokenDigest, findHolder } from "@crosszone/admin-api";
import { createRecordRejected, type RecordAct } from "@crosszone/audit";
import { ZoneError } from "@crosszone/contracts";
import { createTokenBuckets, type Emit, type Judged, readBearer, type Refusal } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { mayAsk } from "../agents/agent.ts";
import { type Asker, type AskSettings, grantOfSubject, grantOfToken } from "../tasks/ask/asker.ts";
import type { AskRoutesDeps, AskSurface } from "./ask-routes-deps.ts";
import type { AuthRefusal } from "./auth/authenticator.ts";
import type { VerifySubject } from "./auth/jwt-auth.ts";
import { metadataPath } from "./create-ask-app.ts";
import { createReportRefused, refuse } from "./serve-route.ts";

/** What the section `programs` says now. */
export interface AskAccess {
  readonly settings: AskSettings;
  /** Undefined without issuers. */
  readonly verifySubject?: VerifySubject | undefined;
}

interface AskDoorDeps {
  readonly tokens: ApiTokens;
  readonly access: () => AskAccess;
  readonly publicUrl: AskRoutesDeps["publicUrl"];
  readonly record: RecordAct;
  readonly emit: Emit<ExecutionEvent>;
}

/** Admits programs by an API token with the scope `ask`, or by a token of an issuer in the settings. Records in the audit log who is refused. */
export function createAskDoor(deps: AskDoorDeps): Pick<AskRoutesDeps, "door" | "rejected"> {
  const { tokens, publicUrl, record, emit } = deps;
  const requests = createTokenBuckets({ perMinute: 60 });
  const report = createReportRefused(emit);
  const recordRejected = createRecordRejected(record, (cause) => emit("http_failed", { cause }));
  const target = { type: "zone", id: "execution" };

  const door: AskRoutesDeps["door"] = (surface) => ({
    auth: async ({ request, from }) => {
      const judged = await findProgram(request, surface, deps).catch((cause: unknown) =>
        refuse("auth_unavailable", { retryAfterMs: 1_000, cause }),
      );
      if ("who" in judged) return { who: { ...judged.who, from } };
      return judged.status === 503 ? judged : challenged(judged, `${publicUrl(request)}${metadataPath}/${surface}`);
    },
    onUse: ({ actor }, { from }) => tokens.onUse?.({ actor, from, surface }),
    limit: ({ actor, perMinute = 60 }) => requests.take(actor, { perMinute }),
    mayStill: (asker, { about: agent }) => {
      if (agent === undefined || mayAsk(asker, agent)) return undefined;
      return refuse("not_found", { cause: new ZoneError("unknown_agent", { agent }) });
    },
    refuse,
    onRefused: async (refused, exchange, who) => {
      const { kind, status, reason: because = kind, by = who?.actor ?? "unknown" } = refused;
      const { correlationId, from } = exchange;
      const isOfProgram = status === 401 || status === 403 || kind === "too_many";
      if (isOfProgram) {
        const act = { action: "ask.authenticate", target, details: { because }, surface };
        await recordRejected({ actor: by, correlationId, from }, act);
      }
      if (status !== 404) report(isOfProgram || status === 503 ? { ...refused, by } : refused, exchange);
    },
  });
  const rejected: AskRoutesDeps["rejected"] = ({ actor, from }, surface, { action, because }) =>
    void recordRejected({ actor, correlationId: "", from }, { action, target, details: { because }, surface });
  return { door, rejected };
}

/** Returns the sender of a request, or why it has none. Rejects when its credentials can't be checked. */
async function findProgram(
  { headersDistinct }: IncomingMessage,
  surface: AskSurface,
  { tokens, access }: AskDoorDeps,
): Promise<Judged<Asker>> {
  const unknown = (reason: AuthRefusal, by?: string): Refusal => refuse("unauthorized", { reason, by });
  const given = headersDistinct.authorization ?? [];
  const token = given.length === 1 ? readBearer(given[0]) : undefined;
  if (token === undefined) return unknown("credentials_missing");
  const { settings, verifySubject } = access();
  // An API token has no dot.
  if (verifySubject !== undefined && token.includes(".")) {
    const claims = await verifySubject(token, surface);
    if (typeof claims === "string") return unknown(claims);
    return { who: { actor: `subject:${claims.iss} ${claims.sub}`, ...grantOfSubject(settings, claims) } };
  }
  const digest = tokenDigest(token);
  const holder = await findHolder(tokens, digest);
  if (holder === undefined) return unknown("token_wrong", await tokens.stored.findEnded(digest));
  const { actor, scopes } = holder;
  if (actor === bootstrap || !scopes.includes("ask"))
    return refuse("missing_scope", { message: "the token lacks the scope ask", by: actor });
  return { who: { actor, ...grantOfToken(settings, actor.replace(/^token:/, "")) } };
}

/** https://www.rfc-editor.org/rfc/rfc9728#section-5.1 and https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
function challenged(refused: Refusal, metadataUrl: string): Refusal {
  const isMissing = refused.reason === "credentials_missing";
  const error = refused.kind === "missing_scope" ? "insufficient_scope" : "invalid_token";
  const challenge = `Bearer ${isMissing ? "" : `error="${error}", `}scope="ask", resource_metadata="${metadataUrl}"`;
  const message = isMissing ? "send one token as Authorization: Bearer" : refused.message;
  return { ...refused, message, headers: { "www-authenticate": challenge } };
}
