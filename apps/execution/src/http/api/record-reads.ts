import type { ApiExchange, ApiPart, ApiPath, ApiRefusal } from "@crosszone/admin-api";
import { authorAct, type NewAuditEvent } from "@crosszone/audit";
import { createTokenBuckets } from "@crosszone/service-kit";

/** The paths that show content, by path, with the type of what they show. */
const shown: Readonly<Record<string, string>> = {
  "/tasks/{task_id}": "task",
  "/input-requests": "input_request",
  "/input-requests/{request_id}": "input_request",
  "/input-requests/{request_id}/receipt": "input_request",
  "/audit/events": "audit_log",
  "/audit/events/{event_id}/receipt": "audit_event",
  "/audit/export": "audit_log",
  "/runs/{run_id}": "run",
  "/runs/{run_id}/graph": "run",
  "/runs/{run_id}/attempts": "run",
  "/runs/{run_id}/events": "run",
};

/** Returns a part whose reads of content are in the audit log before they are answered; a stream at its start. */
export function recordReads(part: ApiPart, append: (act: NewAuditEvent) => Promise<unknown>): ApiPart {
  const paths = Object.entries(part.paths).map(([path, handlers]) => {
    const type = shown[path];
    return [path, type === undefined ? handlers : recorded(handlers, { path, type }, append)] as const;
  });
  return { ...part, paths: Object.fromEntries(paths) };
}

function recorded(
  { get, ...others }: ApiPath,
  { path, type }: { readonly path: string; readonly type: string },
  append: (act: NewAuditEvent) => Promise<unknown>,
): ApiPath {
  if (get === undefined) return others;
  const action = path === "/audit/export" ? "audit.export" : "content.read";
  const read = async (exchange: ApiExchange) => {
    const answered = await get(exchange);
    const [id = "*"] = Object.values(exchange.params);
    const hasContent = "events" in answered || "lines" in answered || answered.body !== undefined;
    const isShown = type.startsWith("audit") || exchange.holder.scopes.includes("content:read");
    if (hasContent && isShown && !isRedacted(exchange))
      await append(authorAct(exchange, { action, target: { type, id }, details: { path } }));
    return answered;
  };
  return { ...others, get: read };
}

const isRedacted = ({ request: { url = "" } }: ApiExchange): boolean => /[?&]redact=true(&|$)/.test(url);

/** Refused requests without a valid token that are recorded per minute; a stranger must not be able to fill the log. */
const unknownPerMinute = 60;

/**
 * Returns a function that records each refused request of a token that lacks a right, and each refused change. Requests without a valid
 * token are limited together.
 */
export function createRecordRefusal(append: (act: NewAuditEvent) => Promise<unknown>) {
  const buckets = createTokenBuckets({ capacity: unknownPerMinute, perMinute: unknownPerMinute });
  return async ({ kind, method, act }: ApiRefusal): Promise<void> => {
    const { actor, operationId = "none", scope, status, params, correlationId } = act;
    if (status !== 401 && status !== 403 && ["GET", "HEAD"].includes(method)) return;
    if (actor === "unknown" && buckets.take(actor) > 0) return;
    const target = { type: "api", id: [operationId, ...Object.values(params)].join(" ") };
    const details = { kind, status, scope };
    const refused = authorAct({ actor, correlationId }, { action: "api.request", target, details });
    await append({ ...refused, outcome: "rejected" });
  };
}
