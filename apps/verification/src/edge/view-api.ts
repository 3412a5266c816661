import { hash } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import {
  ApiProblem,
  type ApiRefusal,
  problemRefusal,
  refuseProblem,
  sendLines,
  writeProblem,
} from "@crosszone/admin-api";
import { authorAct, createRecordRefusal, type ZoneAudit } from "@crosszone/audit";
import { answerAudit, auditQueries } from "@crosszone/audit/api";
import { type TokenScope, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import {
  answer,
  type Exchange,
  limitStrangers,
  readBearer,
  type Refusal,
  surface,
  type Verdict,
} from "@crosszone/service-kit";

export interface ViewApiDeps {
  /** Asks execution for the holder of a token. Called for each request. */
  readonly zone: Client<ZoneMethods>;
  readonly audit: ZoneAudit;
  /** Receives each refused request, before its answer. */
  readonly onRefused: (refusal: ApiRefusal) => void;
  readonly onFailure: (cause: unknown) => void;
}

/**
 * Requests per minute: of one token; of an address, with tokens that execution has not accepted yet; and of all such tokens, which must not
 * crowd out the questions on the zone link.
 */
const limits = { proven: { perMinute: 120 }, address: { perMinute: 240 }, strangers: { perMinute: 1_200 } };

const digestIn = ({ request }: Exchange): string | undefined => {
  const token = readBearer(request.headers.authorization);
  return token === undefined ? undefined : hash("sha256", token);
};

/** Timeout of the check of a token, milliseconds. */
const checkMs = 5_000;

const notFound = "Use /audit/events, /audit/export or /audit/checkpoint. Execution has the messages.";

const scope: TokenScope = "audit:read";

/** The paths, with what is in the audit log before the answer. */
const actions = { "/audit/events": "content.read", "/audit/export": "audit.export", "/audit/checkpoint": "" };

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0]?.replace(/^\/api\/v1(?=\/)/, "") ?? "";
const isAudit = (path: string): path is keyof typeof actions => Object.hasOwn(actions, path);

/**
 * Returns the read-only API of the verification zone, below `/api/v1`: `/audit/events`, `/audit/export` and `/audit/checkpoint`, as in
 * execution. Reads and rejected requests are in the audit log.
 */
export function createViewApi(deps: ViewApiDeps): RequestListener {
  const { zone, audit, onRefused, onFailure } = deps;
  const recordRefusal = createRecordRefusal(audit.record);

  /** Returns the actor of a request's token. */
  async function authenticate(exchange: Exchange): Promise<Verdict<string>> {
    const digest = digestIn(exchange);
    const unauthorized = (challenge: string, by?: string): Refusal =>
      refuseProblem("unauthorized", {
        message: `send a token of execution with the scope ${scope} as Authorization: Bearer`,
        headers: { "www-authenticate": challenge },
        by,
      });
    if (digest === undefined) return unauthorized("Bearer");
    try {
      const asked = { digest, scope, from: { ...exchange.from } };
      const { name } = await zone.call("check_token", asked, { timeoutMs: checkMs });
      return { who: name === "bootstrap" ? name : `token:${name}` };
    } catch (cause) {
      if (cause instanceof ZoneError && cause.kind === "unauthorized")
        return unauthorized('Bearer error="invalid_token"', cause.data.actor);
      onFailure(cause);
      if (cause instanceof ZoneError && cause.kind === "zone_unavailable") throw cause;
      const retry = { headers: { "retry-after": "1" } };
      return { ...problemRefusal(new ApiProblem("execution_unavailable", undefined, retry)), cause };
    }
  }

  async function serve(exchange: Exchange, actor: string): Promise<void> {
    const { request, response, correlationId, from } = exchange;
    const path = pathOf(request);
    if (request.method !== "GET") throw new ApiProblem("method_not_allowed", "Use GET.", { headers: { allow: "GET" } });
    if (!isAudit(path)) throw new ApiProblem("not_found", notFound);
    const answered = await answerAudit(audit.read, auditQueries[path](request.url ?? ""));
    if ("body" in answered && answered.body === undefined) throw new ApiProblem("not_found", notFound);
    const [action, target] = [actions[path], { type: "audit_log", id: "*" }];
    if (action !== "")
      await audit.record(authorAct({ actor, correlationId, from }, { action, target, details: { path } }));
    if ("lines" in answered) return sendLines(exchange, { ...answered, contentType: "application/x-ndjson" });
    answer(response, 200, { contentType: "application/json", body: JSON.stringify(answered.body) });
  }

  const listener = surface<string>({
    strangers: limitStrangers(limits, digestIn),
    auth: authenticate,
    serve: (exchange, { who }) => serve(exchange, who),
    refuse: refuseProblem,
    refusalOf: problemRefusal,
    write: writeProblem,
    onRefused: async ({ kind, status, by, cause }, { request, correlationId, from }, who = "unknown") => {
      if (cause !== undefined && kind !== "execution_unavailable") onFailure(cause);
      const operationId = pathOf(request);
      const act = { actor: by ?? who, operationId, scope, status, params: {}, correlationId, from };
      const refused = { kind, method: request.method ?? "", act };
      onRefused(refused);
      await recordRefusal(refused).catch(onFailure);
    },
  });
  return (request, response) => void listener(request, response);
}
