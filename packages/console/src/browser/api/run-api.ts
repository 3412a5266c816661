import type {
  InputRequest,
  InputRequestList,
  RunGraph,
  RunList,
  StepAttempts,
  TaskRecord,
  WorkflowRun,
  WorkflowRunSummary,
  WorkflowRunEvent,
} from "@crosszone/contracts";
import { createParser } from "eventsource-parser";

/** Filters the list of runs. */
export interface RunFilter {
  readonly workflow_id?: string;
  readonly state?: string;
  readonly correlation_id?: string;
  readonly offset?: number;
}

/** The changes that a user can request. */
export type RunChange = "cancel" | "retry";

/**
 * The API as the page uses it. Inputs, outputs and errors arrive with secrets removed. Every rejection is an
 * `ApiFault`.
 */
export interface RunApi {
  readonly list: (filter: RunFilter) => Promise<RunList>;
  readonly run: (runId: string) => Promise<WorkflowRun>;
  readonly graph: (runId: string) => Promise<RunGraph>;
  readonly attempts: (runId: string, path: string) => Promise<StepAttempts>;
  readonly inputs: (runId: string) => Promise<InputRequestList>;
  readonly withdraw: (requestId: string) => Promise<InputRequest>;
  /** The task of a run that a person asked for. */
  readonly task: (runId: string) => Promise<TaskRecord>;
  readonly change: (runId: string, what: RunChange) => Promise<WorkflowRunSummary>;
  /** Streams the changes after a revision. */
  readonly events: (runId: string, since: number, signal: AbortSignal) => Promise<Response>;
  /** The server's time, Unix milliseconds. Times of runs use the server's clock. */
  readonly now: () => number;
}

export const pageSize = 50;

/** The longest pause that a server can request, milliseconds. */
const longestQuietMs = 30_000;

export function createRunApi(token: string | undefined): RunApi {
  let clockAhead = 0;
  let quietUntil = 0;

  /** Pauses every request of the page until the time that the server's 429 names. */
  function keepQuiet({ headers }: Response): void {
    const seconds = Number(headers.get("retry-after") ?? 0);
    if (seconds > 0) quietUntil = performance.now() + Math.min(seconds * 1_000, longestQuietMs);
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const quietMs = quietUntil - performance.now();
    if (quietMs > 0) await new Promise((resolve) => setTimeout(resolve, quietMs));
    const headers = new Headers(init.headers);
    // Such a token doesn't fit into a header.
    if (token !== undefined && !/^[!-~]+$/.test(token))
      throw new ApiFault("The token contains invalid characters.", { status: 401, kind: "unauthorized" });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(`/api/v1${path}`, { cache: "no-store", ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ApiFault("Cannot reach the server.", { status: 0, kind: "unreachable" });
    });
    const date = Date.parse(response.headers.get("date") ?? "");
    // HTTP dates have whole seconds.
    if (Math.abs(date + 500 - Date.now() - clockAhead) > 1_500) clockAhead = date + 500 - Date.now();
    if (response.status === 429) keepQuiet(response);
    if (!response.ok) throw await faultOf(response);
    return response;
  }

  async function read<T>(path: string, init?: RequestInit): Promise<T> {
    return (await (await ask(path, init)).json()) as T;
  }

  const at = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;
  return {
    list: ({ offset = 0, ...filter }) => {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams([
        ...given,
        ["limit", String(pageSize)],
        ["offset", String(offset)],
        ["redact", "true"],
      ]);
      return read(`/runs?${query.toString()}`);
    },
    run: (runId) => read(`${at(runId)}?redact=true`),
    graph: (runId) => read(`${at(runId)}/graph`),
    attempts: (runId, path) => read(`${at(runId)}/attempts?path=${encodeURIComponent(path)}&redact=true`),
    inputs: (runId) => read(`/input-requests?run_id=${encodeURIComponent(runId)}&limit=${String(pageSize)}`),
    withdraw: (requestId) => read(`/input-requests/${requestId}/withdraw`, { method: "POST" }),
    task: (runId) => read(`/tasks/${encodeURIComponent(runId)}`),
    change: (runId, what) => read(`${at(runId)}/${what}`, { method: "POST" }),
    events: (runId, since, signal) =>
      ask(`${at(runId)}/events?redact=true`, { signal, headers: { "last-event-id": String(since) } }),
    now: () => Date.now() + clockAhead,
  };
}

/** An error of the API; status 0 when it couldn't be reached. The message is for the user. */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  readonly status: number;
  /** The last part of the problem's type: `api-off`, `run-not-found`. */
  readonly kind: string;

  constructor(message: string, { status, kind }: { readonly status: number; readonly kind: string }) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/** Whether a retry can't help: the resource is gone, or the token may not read it. */
export const isHopeless = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && [401, 403, 404].includes(error.status);

/** Returns the fault of an unsuccessful response. https://www.rfc-editor.org/rfc/rfc9457 */
export async function faultOf(response: Response): Promise<ApiFault> {
  const problem: unknown = await response.json().catch(() => undefined);
  const { detail, title, type } = (typeof problem === "object" && problem !== null ? problem : {}) as Record<
    string,
    unknown
  >;
  const sentences = [title, detail].filter((text) => typeof text === "string");
  const message =
    sentences.length > 0 ? sentences.join(". ") : `The server answered with status ${String(response.status)}.`;
  const kind = typeof type === "string" ? type.slice(type.lastIndexOf("/") + 1) : "unknown";
  return new ApiFault(message, { status: response.status, kind });
}

/** The server sends at least a comment every 15 seconds. A stream that is silent for longer is dead. */
const silenceMs = 45_000;

/** Reads a stream of changes to its end. Calls `seen` with a revision after all events up to it. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  told: { readonly event: (event: WorkflowRunEvent) => void; readonly seen: (revision: number) => void },
): Promise<void> {
  const parser = createParser({
    onEvent: ({ data, id }) => {
      told.event(JSON.parse(data) as WorkflowRunEvent);
      if (id !== undefined && id !== "") told.seen(Number(id));
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
