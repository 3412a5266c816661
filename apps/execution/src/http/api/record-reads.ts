import type { ApiExchange, ApiPart, ApiPath } from "@crosszone/admin-api";
import { authorAct, type RecordAct } from "@crosszone/audit";

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
export function recordReads(part: ApiPart, record: RecordAct): ApiPart {
  const paths = Object.entries(part.paths).map(([path, handlers]) => {
    const type = shown[path];
    return [path, type === undefined ? handlers : recorded(handlers, { path, type }, record)] as const;
  });
  return { ...part, paths: Object.fromEntries(paths) };
}

function recorded(
  { get, ...others }: ApiPath,
  { path, type }: { readonly path: string; readonly type: string },
  record: RecordAct,
): ApiPath {
  if (get === undefined) return others;
  const action = path === "/audit/export" ? "audit.export" : "content.read";
  const read = async (exchange: ApiExchange) => {
    const answered = await get(exchange);
    const [id = "*"] = Object.values(exchange.params);
    const hasContent = "events" in answered || "lines" in answered || answered.body !== undefined;
    const isShown = type.startsWith("audit") || exchange.holder.scopes.includes("content:read");
    if (hasContent && isShown && !isRedacted(exchange))
      await record(authorAct(exchange, { action, target: { type, id }, details: { path } }));
    return answered;
  };
  return { ...others, get: read };
}

const isRedacted = ({ request: { url = "" } }: ApiExchange): boolean => /[?&]redact=true(&|$)/.test(url);
