import type {
  InputRequestList,
  RunGraph,
  StepAttempts,
  WorkflowRun,
  WorkflowRunEvent,
  WorkflowRunSummary,
} from "@crosszone/contracts";
import { createParser } from "eventsource-parser";
import { type Api, ApiFault, isHopeless } from "../api.ts";
import type { Connection } from "../frame.ts";

/** The changes that a user can request. */
export type RunAct = "cancel" | "retry";

/** The API of runs. Inputs, outputs and errors arrive with secrets removed. */
export type RunApi = ReturnType<typeof createRunApi>;

/** `signal` ends the reads. */
export function createRunApi(api: Api, signal: AbortSignal) {
  const at = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;
  const redact = true;
  return {
    run: (runId: string) => api.get<WorkflowRun>(at(runId), { redact }, signal),
    graph: (runId: string) => api.get<RunGraph>(`${at(runId)}/graph`, {}, signal),
    attempts: (runId: string, path: string) => api.get<StepAttempts>(`${at(runId)}/attempts`, { path, redact }, signal),
    inputs: (runId: string) => api.get<InputRequestList>("/input-requests", { run_id: runId, limit: 50 }, signal),
    change: (runId: string, what: RunAct) => api.act<WorkflowRunSummary>(`${at(runId)}/${what}`),
    /** Streams the changes after a revision. */
    events: (runId: string, since: number, stop: AbortSignal) =>
      api.open(`${at(runId)}/events?redact=true`, { signal: stop, headers: { "last-event-id": String(since) } }),
    /** The server's time, Unix milliseconds. Times of runs use the server's clock. */
    now: api.now,
  };
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
