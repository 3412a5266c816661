import { answerJson, ByteBudget, createTokenBuckets } from "@crosszone/service-kit";
import { type RequestHandler, Router } from "express";
import { apiMethods, type ApiPart } from "./api-part.ts";
import { authenticate, checkSwitchedOn } from "./authenticate.ts";
import { openApi } from "@crosszone/contracts/openapi";
import { checkServed, mergeDocuments, operationOf } from "./merge-documents.ts";
import { newAct, refuse, type ServeRules, toRoute } from "./serve-exchange.ts";
import { SharedProblem } from "./api-problem.ts";
import { type ApiTokens, noStoredTokens, type StoredTokens } from "./token-holder.ts";

export interface AdminApiDeps {
  readonly parts: readonly ApiPart[];
  /** Returns ADMIN_TOKENS. Called for each request, because they may come from a file. Without any token the API is off. */
  readonly tokens: ApiTokens["tokens"];
  /** The stored tokens (default none). */
  readonly stored?: StoredTokens;
  /** As in `ApiTokens`. */
  readonly onUse?: ApiTokens["onUse"];
  /** Rate limit of one token for all parts (default 600 a minute, 60 at once: several run pages and a command line). */
  readonly limit?: { readonly perMinute: number; readonly burst: number };
  /** Called for each refused request. Must not reject. The response waits for it. */
  readonly onRefused?: ServeRules["onRefused"];
  /** Ends event streams when it aborts. */
  readonly stopping?: AbortSignal;
  /** Interval of heartbeats on a stream, milliseconds (default 15,000). */
  readonly heartbeatMs?: number;
}

/** The most bytes of stored content in the answers of a process, and in those to one token. An answer alone can be larger. */
const contentLimits = { all: 48_000_000, each: 24_000_000, waitMs: 0 };

/**
 * Returns the API of the execution zone, for `app.use("/api/v1", …)`: JSON in and out, every error as `application/problem+json`.
 * `/openapi.json` describes it and is the only path that needs no token. Throws when the routes of a part do not match its document.
 */
export function createAdminApi(deps: AdminApiDeps): RequestHandler {
  const { parts, tokens, stored = noStoredTokens, onRefused, heartbeatMs = 15_000 } = deps;
  const { perMinute, burst } = deps.limit ?? { perMinute: 600, burst: 60 };
  const buckets = createTokenBuckets({ capacity: burst, perMinute });
  parts.forEach(checkServed);

  const known: ApiTokens = { tokens, stored };
  const rules: ServeRules = {
    authenticate: (request) => authenticate(request, known),
    limit: ({ actor }) => {
      const waitMs = buckets.take(actor);
      if (waitMs === 0) return;
      const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
      throw new SharedProblem("too_many", "Wait a little.", { headers });
    },
    content: new ByteBudget(contentLimits),
    onRefused,
    onUse: deps.onUse,
    stopping: deps.stopping ?? new AbortController().signal,
    heartbeatMs,
  };

  // Names are case-sensitive.
  const router = Router({ caseSensitive: true, strict: true });
  const document = mergeDocuments(
    openApi("frame"),
    parts.map((part) => part.document),
  );
  const documentText = JSON.stringify(document);
  router.get("/openapi.json", async (_request, response) => {
    await checkSwitchedOn(known);
    answerJson(response, 200, documentText);
  });
  for (const part of parts)
    for (const [template, path] of Object.entries(part.paths))
      for (const method of apiMethods) {
        const answerTo = path[method];
        const operation = operationOf(part.document, template, method);
        if (answerTo) router[method](routeOf(template), toRoute(rules, operation, answerTo));
      }
  // After all routes: a method that one path lacks may belong to another that matches too.
  for (const [template, path] of Object.entries(document.paths)) {
    const allow = apiMethods.filter((method) => method in path).map((method) => method.toUpperCase());
    const refuseMethod = (): never => {
      throw new SharedProblem("method_not_allowed", `Use ${allow.join(", ")}.`, {
        headers: { allow: allow.join(", ") },
      });
    };
    router.all(routeOf(template), toRoute(rules, {}, refuseMethod));
  }
  router.use(
    toRoute(rules, {}, () => {
      throw new SharedProblem("not_found", "See openapi.json for what is served.");
    }),
  );
  // Errors of the router itself: a path that is not percent-encoded.
  return (request, response) =>
    router(request, response, (error: unknown) => void refuse(response, error, { rules, act: newAct(request, {}) }));
}

/** Converts an OpenAPI path template to Express. */
function routeOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}
