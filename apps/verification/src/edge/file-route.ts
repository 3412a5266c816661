import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { answerHeaders, answerJson, type Emit, readBearer, requestIdOf } from "@crosszone/service-kit";
import { readTraceparent, type Tracer } from "@crosszone/service-kit/tracing";
import { outageOf } from "@crosszone/sql";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Limits } from "../limits.ts";
import type { HandleGrant, Handles } from "../link/handles.ts";
import type { PolicySource } from "../policy/access-policy.ts";
import { type OpenedFile, openSlackFile } from "../slack/files/open-file.ts";
import { type FileRefusal, fileRefusals, FileRefusedError } from "../slack/slack-call-error.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";

/** The path of a file, before its id. */
export const filesPath = "/files/";

/** How a request for a file ended; `gone` means that the client disconnected. */
export interface FileEnd {
  readonly outcome: FileRefusal | "served" | "gone";
  /** The grant of the handle; undefined without a valid handle. */
  readonly grant: HandleGrant | undefined;
  readonly fileId: string;
  /** Bytes of the file that were sent. */
  readonly bytes: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly cause: unknown;
}

export interface TaskFileRouteDeps {
  readonly handles: Handles;
  readonly linkOf: Workspaces["linkOf"];
  /** Has the types of files that execution can read. */
  readonly policy: PolicySource;
  readonly limits: Limits;
  /** Called once for each request. */
  readonly onEnd: (end: FileEnd) => void;
}

/**
 * `GET /files/<id>` with `Authorization: Bearer <handle>`: streams a file of the handle's own task from Slack. The bot's token is sent only
 * to Slack. All other requests are refused, as JSON.
 */
export function createTaskFileRoute(
  deps: TaskFileRouteDeps,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { handles, linkOf, policy, limits, onEnd } = deps;
  let atOnce = 0;

  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(response);
    const fileId = idOf(request);
    const served = { grant: undefined as HandleGrant | undefined, bytes: 0 };
    const end = (outcome: FileEnd["outcome"], cause?: unknown): void =>
      onEnd({ ...served, outcome, fileId, durationMs: performance.now() - startedAt, requestId, cause });
    const left = new AbortController();
    const late = AbortSignal.timeout(limits.FILE_TIMEOUT_MS);
    response.once("close", () => {
      if (!response.writableFinished) left.abort();
    });
    try {
      if (request.method !== "GET") throw new FileRefusedError("method");
      const handle = readBearer(request.headers.authorization) ?? "";
      served.grant = await handles.find(handle);
      if (served.grant === undefined) throw new FileRefusedError("unauthorized");
      if (!served.grant.file_ids.includes(fileId)) throw new FileRefusedError("unknown_file");
      if (atOnce >= limits.MAX_FILES_AT_ONCE) throw new FileRefusedError("busy");
      atOnce += 1;
      try {
        if (!(await handles.countRead(handle, limits.MAX_FILE_READS))) throw new FileRefusedError("too_many");
        const link = await linkOf(served.grant);
        if (link === undefined) throw new FileRefusedError("unauthorized");
        const signal = AbortSignal.any([left.signal, late]);
        const rules = { types: policy.current().file_types, maxBytes: limits.MAX_FILE };
        const file = await openSlackFile(link, rules, { id: fileId, channel: served.grant.channel, signal });
        response.writeHead(200, [...answerHeaders(response), ...headersOf(file)]);
        await pipeline(file.body, (chunks) => counted(chunks, (bytes) => (served.bytes += bytes)), response, {
          signal,
        });
      } finally {
        atOnce -= 1;
      }
      end("served");
    } catch (error) {
      const reason = reasonOf(error, { late, left: left.signal });
      end(reason, error instanceof FileRefusedError ? error.cause : error);
      if (response.headersSent || reason === "gone") response.destroy();
      else refuse(response, reason);
    } finally {
      // Aborts the download from Slack.
      left.abort();
    }
  };
}

function idOf({ url = "" }: IncomingMessage): string {
  const [path = ""] = url.split("?", 1);
  return path.slice(filesPath.length);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

function headersOf({ type, length }: OpenedFile): string[] {
  const size = length === undefined ? [] : ["content-length", String(length)];
  return ["content-type", type, ...size, "content-disposition", "attachment"];
}

/** An abort surfaces as a connection or stream error; the signals reveal its cause. */
function reasonOf(
  error: unknown,
  { late, left }: { readonly late: AbortSignal; readonly left: AbortSignal },
): FileRefusal | "gone" {
  const own = outageOf(error) === undefined ? "internal" : "zone_unavailable";
  const reason = error instanceof FileRefusedError ? error.reason : own;
  if (reason !== "slack_unavailable" && reason !== "internal") return reason;
  if (left.aborted) return "gone";
  return late.aborted ? "timeout" : reason;
}

function refuse(response: ServerResponse, reason: FileRefusal): void {
  const { status, message } = fileRefusals[reason];
  // The request's body is unread, and a kept connection would parse it as the next request.
  response.setHeader("connection", "close");
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  if (status === 405) response.setHeader("allow", "GET");
  if (status === 503) response.setHeader("retry-after", "1");
  answerJson(response, status, JSON.stringify({ error: { reason, message } }));
}

/**
 * Runs a request for a file in a span, whose parent is the task's span. Slack calls for the file are its children.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export async function traceFile(
  tracer: Tracer,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  serve: () => Promise<void>,
): Promise<void> {
  const span = tracer.start("GET /files/{id}", {
    kind: "server",
    traceparent: readTraceparent(request.headers["traceparent"]),
    attributes: { "http.request.method": request.method, "http.route": "/files/{id}" },
  });
  try {
    await span.run(serve);
  } finally {
    const status = response.statusCode;
    span.end({
      attributes: { "http.response.status_code": status },
      error: status >= 500 ? String(status) : undefined,
    });
  }
}

/** Reports a request for a file: ids, outcome, size and duration; never a handle, a name or a URL. */
export function reportFile(
  emit: Emit<VerificationEvent>,
  { outcome, grant, fileId, bytes, durationMs, requestId, cause }: FileEnd,
  traceparent: string | undefined,
): void {
  const { correlation_id, request_id, team_id, channel, file_ids = [] } = grant ?? {};
  const fields = {
    correlation_id,
    request_id,
    team_id,
    channel,
    // Ids that the handle does not cover come from strangers and are not logged.
    file_id: file_ids.includes(fileId) ? fileId : undefined,
    http_request_id: requestId,
    traceparent,
    bytes,
    duration_ms: durationMs,
  };
  if (outcome === "served") emit("file_served", fields);
  else emit("file_refused", { ...fields, reason: outcome, cause });
}
