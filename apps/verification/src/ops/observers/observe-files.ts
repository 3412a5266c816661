import { createRedMetrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import { fileRefusals } from "../../slack/files/file-refusal.ts";
import type { FileEnd } from "../../edge/files/file-route.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Counts and logs file requests: ids, outcome, size and duration; never a handle, a name or a URL. */
export function observeFiles({ logger, registry, tracer }: ObserverDeps): (end: FileEnd) => void {
  const files = createRedMetrics(registry, {
    name: "file",
    help: "File requests from execution",
    labels: {},
    outcomes: ["served", "gone", ...Object.keys(fileRefusals)],
  });
  return ({ outcome, grant, fileId, bytes, durationMs, requestId, cause }) => {
    files.record({ labels: {}, outcome, durationMs });
    const fields = {
      ...(grant && {
        correlation_id: grant.correlation_id,
        request_id: grant.request_id,
        team_id: grant.team_id,
        channel: grant.channel,
        // Ids that the handle does not cover come from strangers and are not logged.
        file_id: grant.file_ids.includes(fileId) ? fileId : undefined,
      }),
      http_request_id: requestId,
      ...traceFields(tracer.current()?.traceparent),
      bytes,
      duration_ms: Math.round(durationMs),
    };
    if (outcome === "served") logger.info("file_served", fields);
    else logger.warn("file_refused", { ...fields, reason: outcome, ...(cause !== undefined && { cause }) });
  };
}
