import { hash } from "node:crypto";
import { isTokenScope } from "@crosszone/contracts";
import { type DocumentedOperation, openApi, operationsAt, type Schema } from "@crosszone/contracts/openapi";
import {
  answerJson,
  arrivingBytes,
  ByteBudget,
  createShares,
  createTokenBuckets,
  limitStrangers,
} from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { type RequestHandler, Router } from "express";
import { type AnswerTo, type ApiExchange, apiMethods, type ApiPart, type OpenApiDocument } from "./api-part.ts";
import { ApiProblem } from "./api-problem.ts";
import { type ApiOperation, type ServeRules, toRoute } from "./serve-exchange.ts";
import { type ApiTokens, authenticate, checkSwitchedOn, noStoredTokens, type StoredTokens } from "./token-holder.ts";

/** Merges the documents of one contract: what two of them define by one name is the same. */
export function mergeDocuments(first: OpenApiDocument, others: readonly OpenApiDocument[]): OpenApiDocument {
  const all = [first, ...others];
  const merged = <Member extends object>(membersOf: (one: OpenApiDocument) => Member | undefined): Member =>
    Object.assign({}, ...all.map(membersOf));
  const sections = new Set(all.flatMap(({ components }) => Object.keys(components)));
  const components = [...sections].map((name) => [name, merged((one) => one.components[name])] as const);
  return {
    ...first,
    paths: merged(({ paths }) => paths),
    components: Object.fromEntries(components),
    "x-problems": merged((one) => one["x-problems"]),
  };
}

/** Returns what a request for an operation of a document needs. */
function operationOf(document: OpenApiDocument, template: string, method: string): ApiOperation {
  const operation = operationsAt(document, template).methods[method];
  const [scope] = operation?.security?.[0]?.adminToken ?? [];
  return {
    operationId: operation?.operationId,
    requestBody: operation?.requestBody,
    scope: isTokenScope(scope) ? scope : undefined,
    hideContent: createHideContent(document, operation?.responses),
  };
}

/** What stands for a text that an answer must have. */
const hiddenText = "…";

/** Returns a function that copies a response body or event of an operation without the members that its schemas mark as `x-content`. */
function createHideContent(
  { components }: OpenApiDocument,
  responses: DocumentedOperation["responses"] = {},
): (value: unknown) => unknown {
  const named = (components["schemas"] ?? {}) as Readonly<Record<string, Schema>>;
  const roots = Object.values(responses).flatMap(({ content = {} }) => Object.values(content).map((one) => one.schema));

  /** Returns the schemas that describe the same value: the schema, and those that it refers to. */
  function* described(schema: Schema): Generator<Schema> {
    yield schema;
    const target = schema.$ref && named[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
    if (target) yield* described(target);
    for (const one of schema.oneOf ?? []) yield* described(one);
  }

  function copy(schemas: readonly Schema[], value: unknown): unknown {
    if (schemas.length === 0 || typeof value !== "object" || value === null) return value;
    const all = schemas.flatMap((schema) => [...described(schema)]);
    if (Array.isArray(value)) {
      const items = all.flatMap((schema) => schema.items ?? []);
      return value.map((item) => copy(items, item));
    }
    const members = Object.entries(value).map(([name, member]) => {
      const found = all.flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? [properties[name]] : []));
      return [name, member, found as Schema[]] as const;
    });
    const shown = members.flatMap(([name, member, found]) => {
      if (!found.some((schema) => schema["x-content"])) return [[name, copy(found, member)] as const];
      const isText = typeof member === "string" && all.some(({ required = [] }) => required.includes(name));
      return isText ? [[name, hiddenText] as const] : [];
    });
    return Object.fromEntries(shown);
  }

  return (value) => copy(roots, value);
}

/** A read of content, for the audit log. */
export interface ContentRead {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly details: { readonly path: string };
}

/** Returns what answers an operation after its read of content is in the audit log; a stream at its start. */
function recorded(
  answerTo: AnswerTo,
  audit: DocumentedOperation["x-audit"],
  { path, onRead }: { readonly path: string; readonly onRead: AdminApiDeps["onRead"] },
): AnswerTo {
  if (audit === undefined || onRead === undefined) return answerTo;
  const { action, target: type } = audit;
  return async (exchange) => {
    const answered = await answerTo(exchange);
    const [id = "*"] = Object.values(exchange.params);
    const hasContent = "events" in answered || "lines" in answered || answered.body !== undefined;
    const isShown = type.startsWith("audit") || exchange.holder.scopes.includes("content:read");
    if (hasContent && isShown && !isRedacted(exchange))
      await onRead(exchange, { action, target: { type, id }, details: { path } });
    return answered;
  };
}

const isRedacted = ({ request: { url = "" } }: ApiExchange): boolean => /[?&]redact=true(&|$)/.test(url);

export interface AdminApiDeps {
  readonly parts: readonly ApiPart[];
  /** Returns ADMIN_TOKENS. Called for each request, because they may come from a file. Without any token the API is off. */
  readonly tokens: ApiTokens["tokens"];
  /** The stored tokens (default none). */
  readonly stored?: StoredTokens;
  /** As in `ApiTokens`. */
  readonly sessions?: ApiTokens["sessions"];
  readonly onUse?: ApiTokens["onUse"];
  /** Rate limit of one token for all parts (default 600 a minute, 60 at once: several run pages and a command line). */
  readonly limit?: { readonly perMinute: number; readonly burst: number };
  /** As in `ServeRules`. */
  readonly mayUse?: ServeRules["mayUse"];
  /** Records a read of content. The response waits for it. */
  readonly onRead?: (exchange: ApiExchange, read: ContentRead) => Promise<unknown>;
  /** Called for each refused request. Must not reject. The response waits for it. */
  readonly onRefused?: ServeRules["onRefused"];
  /** Ends event streams when it aborts. */
  readonly stopping?: AbortSignal;
  /** Interval of heartbeats on a stream, milliseconds (default 15,000). */
  readonly heartbeatMs?: number;
}

/** The most bytes of stored content in the answers of a process, and in those to one token. An answer alone can be larger. */
const contentLimits = { all: 48_000_000, each: 24_000_000, waitMs: 0 };

/** Requests of an address without a token or session that was accepted before. */
const strangersRates = { address: { perMinute: 1_200 } };

/** Streams that are open at the same time: of a process, and of one token. */
const streamShares = { all: 1_000, each: 50 };

/**
 * Returns the API of the execution zone, for `app.use("/api/v1", …)`: JSON in and out, every error as `application/problem+json`.
 * `/openapi.json` describes it and is the only path that needs no token. Throws when an operation of a part has no scope.
 */
export function createAdminApi(deps: AdminApiDeps): RequestHandler {
  const { parts, tokens, stored = noStoredTokens, sessions, onRead, heartbeatMs = 15_000 } = deps;
  const { perMinute, burst } = deps.limit ?? { perMinute: 600, burst: 60 };
  const buckets = createTokenBuckets({ capacity: burst, perMinute });

  const known: ApiTokens = { tokens, stored, sessions };
  const rules: ServeRules = {
    strangers: limitStrangers(strangersRates, ({ request: { headers } }) =>
      hash("sha256", `${headers.authorization} ${headers.cookie}`),
    ),
    authenticate: (request) => authenticate(request, known),
    limit: buckets.take,
    streams: createShares(streamShares),
    content: new ByteBudget(contentLimits),
    arriving: new ByteBudget(arrivingBytes),
    onRefused: deps.onRefused,
    onUse: deps.onUse,
    mayUse: deps.mayUse,
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
  const sayWho: AnswerTo = async ({ holder: { actor, scopes, expiresAt, person } }) => {
    const { name, roles, slackUser: slack_user } = person ?? {};
    const expires_at = expiresAt === undefined ? undefined : isoTime(expiresAt);
    return { status: 200, body: { actor, scopes, expires_at, name, roles, slack_user } };
  };
  router.get("/session", toRoute(rules, operationOf(document, "/session", "get"), sayWho));
  for (const part of parts)
    for (const [template, path] of Object.entries(part.paths))
      for (const method of apiMethods) {
        const answerTo = path[method];
        if (answerTo === undefined) continue;
        const operation = operationOf(part.document, template, method);
        if (operation.scope === undefined) throw new Error(`${operation.operationId} has no scope in its security`);
        const audit = operationsAt(part.document, template).methods[method]?.["x-audit"];
        const answered = recorded(answerTo, audit, { path: template, onRead });
        router[method](routeOf(template), toRoute(rules, operation, answered));
      }
  // After all routes: a method that one path lacks may belong to another that matches too.
  for (const [template, path] of Object.entries(document.paths)) {
    const allow = apiMethods.filter((method) => method in path).map((method) => method.toUpperCase());
    const refuseMethod = (): never => {
      throw new ApiProblem("method_not_allowed", `Use ${allow.join(", ")}.`, {
        headers: { allow: allow.join(", ") },
      });
    };
    router.all(routeOf(template), toRoute(rules, {}, refuseMethod));
  }
  router.use(
    toRoute(rules, {}, () => {
      throw new ApiProblem("not_found");
    }),
  );
  // Errors of the router itself: a path that is not percent-encoded.
  const failed = (thrown: unknown) => {
    const nobody = async (): Promise<never> => {
      throw thrown;
    };
    return toRoute({ ...rules, authenticate: nobody }, {}, sayWho);
  };
  return (request, response) => router(request, response, (error: unknown) => void failed(error)(request, response));
}

/** Converts an OpenAPI path template to Express. */
function routeOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}
