import type { WorkflowRunEvent } from "@crosszone/contracts";
import { ApiFault, isHopeless, readEvents, type RunApi } from "./run-api.ts";

/**
 * Whether changes arrive live. An ended run is `at_rest`: the page polls it now and then, because someone may retry it.
 */
export type Connection = "live" | "reconnecting" | "at_rest";

export interface RunWatcher {
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
    await readEvents(response.body, {
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
