import type {
  InputRequest,
  InputRequestList,
  RunGraph,
  RunList,
  StepAttempts,
  TaskRecord,
  WorkflowRun,
  WorkflowRunEvent,
  WorkflowRunSummary,
} from "@crosszone/contracts";
import { createParser } from "eventsource-parser";

export interface RunFilter {
  readonly workflow_id?: string;
  readonly state?: string;
  readonly correlation_id?: string;
  readonly offset?: number;
}

/** The changes that a user can request. */
export type RunAct = "cancel" | "retry";

/**
 * The API as the page uses it. Inputs, outputs and errors arrive with secrets removed. Every rejection is an
 * `ApiFault`.
 */
export type RunApi = ReturnType<typeof createRunApi>;

export const pageSize = 50;

/** The longest pause that a server can request, milliseconds. */
const longestQuietMs = 30_000;

export function createRunApi(token: string | undefined) {
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
    list: ({ offset = 0, ...filter }: RunFilter): Promise<RunList> => {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams([
        ...given,
        ["limit", String(pageSize)],
        ["offset", String(offset)],
        ["redact", "true"],
      ]);
      return read(`/runs?${query.toString()}`);
    },
    run: (runId: string) => read<WorkflowRun>(`${at(runId)}?redact=true`),
    graph: (runId: string) => read<RunGraph>(`${at(runId)}/graph`),
    attempts: (runId: string, path: string) =>
      read<StepAttempts>(`${at(runId)}/attempts?path=${encodeURIComponent(path)}&redact=true`),
    inputs: (runId: string) =>
      read<InputRequestList>(`/input-requests?run_id=${encodeURIComponent(runId)}&limit=${String(pageSize)}`),
    withdraw: (requestId: string) => read<InputRequest>(`/input-requests/${requestId}/withdraw`, { method: "POST" }),
    /** The task of a run that a person asked for. */
    task: (runId: string) => read<TaskRecord>(`/tasks/${encodeURIComponent(runId)}`),
    change: (runId: string, what: RunAct) => read<WorkflowRunSummary>(`${at(runId)}/${what}`, { method: "POST" }),
    /** Streams the changes after a revision. */
    events: (runId: string, since: number, signal: AbortSignal) =>
      ask(`${at(runId)}/events?redact=true`, { signal, headers: { "last-event-id": String(since) } }),
    /** The server's time, Unix milliseconds. Times of runs use the server's clock. */
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
async function faultOf(response: Response): Promise<ApiFault> {
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
async function readRunEvents(
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

/**
 * Whether changes arrive live. An ended run is `at_rest`: the page polls it now and then, because someone may retry it.
 */
export type Connection = "live" | "reconnecting" | "at_rest";

interface RunWatcher {
  /** Reads the whole run and resolves with its revision. */
  readonly readAll: () => Promise<number>;
  readonly changed: (event: WorkflowRunEvent) => void;
  readonly connected: (connection: Connection) => void;
  /** Called when retrying can't help: the run is gone, or the token may not read it. The watch has ended. */
  readonly refused: (fault: ApiFault) => void;
}

const restMs = 10_000;
const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** Follows a run until stopped. After a broken connection or a restart it continues from the last revision it saw. */
export function watchRun(api: RunApi, runId: string, watcher: RunWatcher) {
  const stopping = new AbortController();
  let revision: number | undefined;
  let failures = 0;
  let wake = (): void => undefined;

  async function follow(): Promise<number> {
    revision ??= await watcher.readAll();
    const response = await api.events(runId, revision, stopping.signal);
    failures = 0;
    const isOver = response.status === 204 || response.body === null;
    watcher.connected(isOver ? "at_rest" : "live");
    if (isOver) return restMs;
    await readRunEvents(response.body, {
      event: watcher.changed,
      seen: (id) => {
        revision = id;
      },
    });
    return firstPauseMs;
  }

  function recover(error: unknown): number {
    if (isHopeless(error)) {
      stopping.abort();
      watcher.refused(error);
      return 0;
    }
    // The server doesn't know this revision: read everything again.
    if (error instanceof ApiFault && error.status === 400) revision = undefined;
    watcher.connected("reconnecting");
    return Math.min(firstPauseMs * 2 ** failures++, longestPauseMs);
  }

  /** Waits for about this time, with jitter, or until `wake`. */
  async function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
    await promise;
    clearTimeout(timer);
  }

  async function followOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await follow().catch((error: unknown) => (stopping.signal.aborted ? 0 : recover(error)));
      if (!stopping.signal.aborted) await pause(waitMs);
    }
  }

  void followOn();
  return {
    /** Ends the current pause, so that the next read starts at once. */
    wake: (): void => wake(),
    stop: (): void => {
      stopping.abort();
      wake();
    },
  };
}
