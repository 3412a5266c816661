import type { Database } from "@crosszone/sql";
import { endedPrefix, frontPrefix, jobChannel } from "./job-channel.ts";
import type { JobTables } from "./job-tables.ts";

/** Tells of what other processes did. Only hints: some are missed, and the tables are looked at from time to time too. */
export interface JobEvents {
  /**
   * Called with the share that has a job to take; with undefined when any may have one. `atFront`: the job may stand before others that were
   * taken. Returns a function that stops it.
   */
  readonly onReady: (listener: (share: string | undefined, atFront: boolean) => void) => () => void;
  /** Called with the id of a job that ended or was canceled elsewhere; with undefined when any may have. */
  readonly onEnded: (listener: (id: string | undefined) => void) => () => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export function createJobEvents({ listen }: Pick<Database<JobTables>, "listen">): JobEvents {
  const [ready, ended] = [
    new Set<(share: string | undefined, atFront: boolean) => void>(),
    new Set<(id?: string) => void>(),
  ];
  let stopListening: (() => Promise<void>) | undefined;

  function told(payload: string | undefined): void {
    const isEnd = payload?.startsWith(endedPrefix) === true;
    const atFront = payload?.startsWith(frontPrefix) === true;
    const share = atFront ? payload?.slice(frontPrefix.length) : payload;
    if (!isEnd) for (const listener of ready) listener(share, atFront || payload === undefined);
    if (isEnd || payload === undefined) for (const listener of ended) listener(payload?.slice(endedPrefix.length));
  }

  const adding =
    <Listener>(listeners: Set<Listener>) =>
    (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };

  return {
    onReady: adding(ready),
    onEnded: adding(ended),
    start: async () => {
      stopListening = await listen(jobChannel, told);
    },
    stop: async () => stopListening?.(),
  };
}
