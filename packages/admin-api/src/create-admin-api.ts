import { answerJson, createTokenBuckets } from "@crosszone/service-kit";
import { type Request, type RequestHandler, Router } from "express";
import { apiMethods, type ApiPart, type ApiPath } from "./api-part.ts";
import { type ApiTokens, authenticateAdmin, checkSwitchedOn } from "./authenticate-admin.ts";
import { openApi } from "@crosszone/contracts/openapi";
import { checkServed, mergeDocuments } from "./merge-documents.ts";
import { type OnRefused, refuse, toRoute } from "./serve-exchange.ts";
import { SharedProblem } from "./api-problem.ts";

/** Dependencies of the API. */
export interface AdminApiDeps {
  readonly parts: readonly ApiPart[];
  /** Returns the admin tokens. Called for each request, because they may come from a file. Without any token the API is off. */
  readonly tokens: () => readonly string[];
  /** Returns the tokens that can only view. Called for each request (default none). */
  readonly viewTokens?: () => readonly string[];
  /** Rate limit of one token for all parts (default 600 a minute, 60 at once: several run pages and a command line). */
  readonly limit?: { readonly perMinute: number; readonly burst: number };
  /** Called for each refused request. */
  readonly onRefused?: OnRefused;
  /** Ends event streams when it aborts. */
  readonly stopping?: AbortSignal;
  /** Interval of heartbeats on a stream, milliseconds (default 15,000). */
  readonly heartbeatMs?: number;
}

/**
 * Returns the API of the execution zone, for `app.use("/api/v1", …)`: JSON in and out, every error as `application/problem+json`.
 * `/openapi.json` describes it and is the only path that needs no token. Throws when the routes of a part do not match its document.
 */
export function createAdminApi(deps: AdminApiDeps): RequestHandler {
  const {
    parts,
    tokens,
    viewTokens = () => [],
    onRefused,
    stopping = new AbortController().signal,
    heartbeatMs = 15_000,
  } = deps;
  const { perMinute, burst } = deps.limit ?? { perMinute: 600, burst: 60 };
  const buckets = createTokenBuckets({ capacity: burst, perMinute });
  parts.forEach(checkServed);

  const known = (): ApiTokens => ({ admin: tokens(), view: viewTokens() });
  const authenticate = (request: Request): string => {
    const actor = authenticateAdmin(request, known());
    const waitMs = buckets.take(actor);
    if (waitMs === 0) return actor;
    const headersOfWait = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
    throw new SharedProblem("too_many", "Wait a little.", { headers: headersOfWait });
  };
  const rules = { authenticate, stopping, heartbeatMs };

  // Names are case-sensitive.
  const router = Router({ caseSensitive: true, strict: true });
  const document = mergeDocuments(
    openApi("frame"),
    parts.map((part) => part.document),
  );
  const documentText = JSON.stringify(document);
  router.get("/openapi.json", (_request, response) => {
    checkSwitchedOn(known());
    answerJson(response, 200, documentText);
  });
  const paths: [template: string, path: ApiPath][] = parts.flatMap((part) => Object.entries(part.paths));
  for (const [template, path] of paths)
    for (const method of apiMethods) {
      const answerTo = path[method];
      if (answerTo) router[method](routeOf(template), toRoute(rules, answerTo));
    }
  // After all routes: a method that one path lacks may belong to another that matches too.
  for (const [template, path] of Object.entries(document.paths)) {
    const allow = apiMethods.filter((method) => method in path).map((method) => method.toUpperCase());
    const refuseMethod = (): never => {
      throw new SharedProblem("method_not_allowed", `Use ${allow.join(", ")}.`, {
        headers: { allow: allow.join(", ") },
      });
    };
    router.all(routeOf(template), toRoute(rules, refuseMethod));
  }
  router.use(
    toRoute(rules, () => {
      throw new SharedProblem("not_found", "See openapi.json for what is served.");
    }),
  );
  return (request, response) =>
    router(request, response, (error: unknown) => refuse({ request, response }, error, onRefused));
}

/** Converts an OpenAPI path template to Express. */
function routeOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}
