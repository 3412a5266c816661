import { hash, randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiProblem, type ApiRefusal, problemOf, sendProblem, SharedProblem } from "@crosszone/admin-api";
import { authorAct, createRecordRefusal, type ZoneAudit } from "@crosszone/audit";
import { answerAudit, type AuditAnswer, auditQueries } from "@crosszone/audit/api";
import { type TokenScope, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { answer, answerHeaders, createTokenBuckets, readBearer, type Sender, senderOf } from "@crosszone/service-kit";

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
 * crowd out the questions on the zone link. An accepted token has its own share, whatever strangers send.
 */
const perMinute = { token: 120, address: 240, strangers: 1_200 };

/** Accepted tokens that are remembered, the last used ones. */
const mostAccepted = 1_000;

function createSenderLimits() {
  const bucketsOf = (most: number) => createTokenBuckets({ perMinute: most });
  const [tokens, addresses] = [bucketsOf(perMinute.token), bucketsOf(perMinute.address)];
  const strangers = bucketsOf(perMinute.strangers);
  const accepted = new Set<string>();
  return {
    /** Returns how long a request must wait, milliseconds; 0 if it need not. */
    take: (digest: string, address = ""): number =>
      tokens.take(digest) || (accepted.has(digest) ? 0 : addresses.take(address) || strangers.take("")),
    judged: (digest: string, isAccepted: boolean): void => {
      accepted.delete(digest);
      if (isAccepted) accepted.add(digest);
      const [oldest] = accepted;
      if (oldest !== undefined && accepted.size > mostAccepted) accepted.delete(oldest);
    },
  };
}

/** Timeout of the check of a token, milliseconds. */
const checkMs = 5_000;

const notFound = "Use /audit/events, /audit/export or /audit/checkpoint. Execution has the messages.";

const scope: TokenScope = "audit:read";

/** The paths, with what is in the audit log before the answer. */
const actions = { "/audit/events": "content.read", "/audit/export": "audit.export", "/audit/checkpoint": "" };

const pathOf = (url = ""): string => url.split("?", 1)[0]?.replace(/^\/api\/v1(?=\/)/, "") ?? "";
const isAudit = (path: string): path is keyof typeof actions => Object.hasOwn(actions, path);

/**
 * Returns the read-only API of the verification zone, below `/api/v1`: `/audit/events`, `/audit/export` and `/audit/checkpoint`, as in
 * execution. Reads and rejected requests are in the audit log.
 */
export function createViewApi(deps: ViewApiDeps): RequestListener {
  const { zone, audit, onRefused, onFailure } = deps;
  const limits = createSenderLimits();
  const recordRefusal = createRecordRefusal(audit.record);

  /** Returns the actor of a request's token. */
  async function authenticate({ headers }: IncomingMessage, from: Sender): Promise<string> {
    const token = readBearer(headers.authorization);
    const rejected = (challenge: string, by?: string): SharedProblem =>
      new SharedProblem("unauthorized", `Send a token of execution with the scope ${scope} as Authorization: Bearer.`, {
        headers: { "www-authenticate": challenge },
        by,
      });
    if (token === undefined) throw rejected("Bearer");
    const digest = hash("sha256", token);
    const waitMs = limits.take(digest, from.address);
    const after = { headers: { "retry-after": String(Math.ceil(waitMs / 1_000)) } };
    if (waitMs > 0) throw new SharedProblem("too_many", "Wait a little.", after);
    try {
      const { name } = await zone.call("check_token", { digest, scope, from: { ...from } }, { timeoutMs: checkMs });
      limits.judged(digest, true);
      return name === "bootstrap" ? name : `token:${name}`;
    } catch (cause) {
      if (cause instanceof ZoneError && cause.kind === "unauthorized") {
        limits.judged(digest, false);
        throw rejected('Bearer error="invalid_token"', cause.data.actor);
      }
      onFailure(cause);
      const retry = { headers: { "retry-after": "1" } };
      if (cause instanceof ZoneError && cause.kind === "zone_unavailable") throw cause;
      throw new ApiProblem("execution_unavailable", undefined, retry);
    }
  }

  async function send(response: ServerResponse, answered: AuditAnswer): Promise<void> {
    if ("lines" in answered) {
      response.writeHead(200, [...answerHeaders(response), "content-type", "application/x-ndjson"]);
      return pipeline(Readable.from(answered.lines), response);
    }
    const body = JSON.stringify(answered.body);
    answer(response, 200, { contentType: "application/json", body });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "" } = request;
    const path = pathOf(url);
    const from = senderOf(request);
    const author = { actor: "unknown", correlationId: randomUUID(), from };
    const { method = "" } = request;
    try {
      author.actor = await authenticate(request, from);
      if (method !== "GET") throw new SharedProblem("method_not_allowed", "Use GET.", { headers: { allow: "GET" } });
      if (!isAudit(path)) throw new SharedProblem("not_found", notFound);
      const answered = await answerAudit(audit.read, auditQueries[path](url));
      if ("body" in answered && answered.body === undefined) throw new SharedProblem("not_found", notFound);
      const [action, target] = [actions[path], { type: "audit_log", id: "*" }];
      if (action !== "") await audit.record(authorAct(author, { action, target, details: { path } }));
      await send(response, answered);
    } catch (error) {
      const problem = problemOf(error);
      const { kind, status, by = author.actor } = problem;
      if (kind === "internal" || kind === "unavailable") onFailure(error);
      const act = { ...author, actor: by, operationId: path, scope, status, params: {} };
      const refusal = { kind, method, act };
      onRefused(refusal);
      await recordRefusal(refusal).catch(onFailure);
      if (response.headersSent) response.destroy();
      else sendProblem(response, problem, author.correlationId);
    }
  }

  return (request, response) => void serve(request, response);
}
