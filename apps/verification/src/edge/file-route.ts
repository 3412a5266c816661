import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import {
  answerHeaders,
  createShares,
  type Emit,
  type Exchange,
  readBearer,
  type Refusal,
  type RefusalDetail,
  refusalsOf,
  Refused,
  surface,
} from "@crosszone/service-kit";
import { readTraceparent, type Tracer } from "@crosszone/service-kit/tracing";
import { outageOf } from "@crosszone/sql";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Limits } from "../limits.ts";
import type { HandleGrant, Handles } from "../link/handles.ts";
import type { PolicySource } from "../policy/rules.ts";
import { openSlackFile } from "../slack/files/open-file.ts";
import { type FileRefusal, fileRefusals, FileRefusedError } from "../slack/file-refusals.ts";
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

/** A request whose handle is valid. */
interface FileReader {
  readonly grant: HandleGrant;
  readonly handle: string;
  readonly startedAt: number;
  /** Bytes of the file that were sent. */
  bytes: number;
}

const refuse = refusalsOf(fileRefusals);

const refusalOf = (reason: FileRefusal, detail: RefusalDetail): Refusal =>
  refuse(reason, fileRefusals[reason].status === 503 ? { retryAfterMs: 1_000, ...detail } : detail);

/**
 * `GET /files/<id>` with `Authorization: Bearer <handle>`: streams a file of the handle's own task from Slack. The bot's token is sent only
 * to Slack. All other requests are refused, as JSON.
 */
export function createTaskFileRoute({ handles, linkOf, policy, limits, onEnd }: TaskFileRouteDeps) {
  const report = (
    { request, requestId }: Exchange,
    end: Pick<FileEnd, "outcome" | "cause">,
    { grant, bytes = 0, startedAt = performance.now() }: Partial<FileReader> = {},
  ): void => {
    onEnd({ ...end, grant, bytes, fileId: idOf(request), durationMs: performance.now() - startedAt, requestId });
  };

  async function serve(exchange: Exchange, reader: FileReader): Promise<void> {
    const { request, response, signal: left } = exchange;
    const { grant, handle } = reader;
    const late = AbortSignal.timeout(limits.FILE_TIMEOUT_MS);
    // Aborts the download from Slack.
    const over = new AbortController();
    const signal = AbortSignal.any([left, late, over.signal]);
    try {
      if (!(await handles.countRead(handle, limits.MAX_FILE_READS))) throw new FileRefusedError("too_many");
      const link = await linkOf(grant);
      if (link === undefined) throw new FileRefusedError("unauthorized");
      const rules = { types: policy.current().file_types, maxBytes: limits.MAX_FILE };
      const file = await openSlackFile(link, rules, { id: idOf(request), channel: grant.channel, signal });
      const size = file.length === undefined ? [] : ["content-length", String(file.length)];
      const headers = ["content-type", file.type, ...size, "content-disposition", "attachment"];
      response.writeHead(200, [...answerHeaders(response), ...headers]);
      await pipeline(file.body, (chunks) => counted(chunks, (bytes) => (reader.bytes += bytes)), response, {
        signal,
      });
      report(exchange, { outcome: "served", cause: undefined }, reader);
    } catch (error) {
      if (exchange.lost) throw exchange.lost;
      const reason = reasonOf(error, { late, left });
      const cause = error instanceof FileRefusedError ? error.cause : error;
      if (reason !== "gone" && !response.headersSent) throw new Refused(refusalOf(reason, { cause }));
      report(exchange, { outcome: reason, cause }, reader);
      response.destroy();
    } finally {
      over.abort();
    }
  }

  return surface<FileReader>({
    methods: ["GET"],
    auth: async ({ request }) => {
      const handle = readBearer(request.headers.authorization) ?? "";
      const grant = await handles.find(handle);
      return grant === undefined
        ? refuse("unauthorized", { headers: { "www-authenticate": "Bearer" } })
        : { who: { grant, handle, startedAt: performance.now(), bytes: 0 } };
    },
    may: ({ grant }, { request }) => (grant.file_ids.includes(idOf(request)) ? undefined : refuse("unknown_file")),
    shares: { of: createShares({ all: limits.MAX_FILES_AT_ONCE }), owner: ({ handle }) => handle },
    serve: (exchange, { who }) => serve(exchange, who),
    refusalOf: (cause) => refusalOf(outageOf(cause) === undefined ? "internal" : "zone_unavailable", { cause }),
    refuse,
    write: ({ kind: reason, message }) => ({
      contentType: "application/json",
      body: JSON.stringify({ error: { reason, message } }),
    }),
    onRefused: ({ kind, cause }, exchange, reader) => report(exchange, { outcome: kind as FileRefusal, cause }, reader),
  });
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
