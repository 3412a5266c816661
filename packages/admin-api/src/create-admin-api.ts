import { answerJson, createTokenBuckets } from "@crosszone/service-kit";
import { Router, type Request, type RequestHandler } from "express";
import { adminApi } from "./generated/admin-api.ts";
import { apiMethods, type ApiPart, type ApiPath } from "./api-part.ts";
import { authenticateAdmin, checkSwitchedOn, type ApiTokens } from "./authenticate-admin.ts";
import { checkServed } from "./check-served.ts";
import { mergeDocuments } from "./merge-documents.ts";
import { refuse, toRoute, type OnRefused } from "./serve-exchange.ts";
import { SharedProblem } from "./shared-problem.ts";

/** What the API is made of. */
export interface AdminApiDeps {
  readonly parts: readonly ApiPart[];
  /** Returns the admin tokens. Called for each request, because they may come from a file. Without any token the API is off. */
  readonly tokens: () => readonly string[];
  /** Returns the tokens that can only view. Called for each request (default none). */
  readonly viewTokens?: () => readonly string[];
  /** Requests of one token, whatever part they are for (default 600 a minute, 60 at once: several pages of runs and a command line). */
  readonly limit?: { readonly perMinute: number; readonly burst: number };
  /** Told of each request that was refused. */
  readonly onRefused?: OnRefused;
  /** Ends streams of events, which have no end of their own while nothing happens. */
  readonly stopping?: AbortSignal;
  /** How often a stream says that it is alive, milliseconds (default 15,000). */
  readonly heartbeatMs?: number;
}

/**
 * The API of the execution zone, for `app.use("/api/v1", …)`: JSON in and out, every refusal as `application/problem+json`. What it serves is
 * said by the OpenAPI document at `/openapi.json`, which is the one path that needs no token. Throws when what the parts serve is not what
 * their documents say.
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

  // Names are told apart by case.
  const router = Router({ caseSensitive: true, strict: true });
  const document = mergeDocuments(
    adminApi,
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
  // After all of them: what is no method of one path may be one of another that matches too.
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

/** A template of OpenAPI as Express writes it. */
function routeOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}
