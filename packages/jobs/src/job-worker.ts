import { setTimeout as delay } from "node:timers/promises";
import { createAlarm } from "./alarm.ts";
import type { HeldJob, TakenJob } from "./job.ts";
import type { JobLease } from "./job-lease.ts";
import type { JobKind, JobObserver, JobRun, LetGo } from "./job-run.ts";
import type { JobStore } from "./job-store.ts";
import { strayJobs } from "./stray-jobs.ts";
import { takeKind, type Leftover } from "./take-kind.ts";
import { createTurns } from "./turns.ts";
import type { JobEntry, JobWorker } from "./worker-port.ts";

export interface JobWorkerDeps<Own extends string> {
  readonly store: Pick<JobStore<Own>, "waitingShares" | "take" | "release" | "lost" | "held">;
  readonly lease: Pick<JobLease, "leaseMs">;
  readonly kind: JobKind<Own>;
  readonly observer: JobObserver;
  /** Longest time until jobs of other processes are looked for without being told of, milliseconds (default 500). */
  readonly idleMs?: number;
}

/** How often to look for jobs that ended or were taken elsewhere, milliseconds; callers are promised half a second. */
const checkMs = 400;

/** Ends that are being stored while more work begins. */
const mostEnding = 100;

export function createJobWorker<Own extends string>(deps: JobWorkerDeps<Own>): JobWorker {
  const { store, lease, kind, observer, idleMs = 500 } = deps;
  const runs = new Map<string, JobRun>();
  const alarm = createAlarm();
  const turns = createTurns();
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  let left: Leftover = "nothing";
  let ending = 0;
  const isRunning = (id: string): boolean => runs.has(id);
  const findStrays = strayJobs({ store, kind: kind.kind, leaseMs: lease.leaseMs, isRunning });
  let loops: readonly Promise<void>[] = [];
  const roomLeft = (): number => (stopping.signal.aborted ? 0 : kind.room());

  function start(held: HeldJob, begin: () => JobRun, free: () => void): void {
    if (stopping.signal.aborted || runs.has(held.id)) {
      free();
      return void release([held]);
    }
    const run = begin();
    runs.set(held.id, run);
    void run.ended.finally(() => {
      if (runs.get(held.id) === run) runs.delete(held.id);
    });
    void keepRoom(run, free);
  }

  /** Gives room back when the work is done, unless many ends wait for the database: then when this one is stored. */
  async function keepRoom(run: JobRun, free: () => void): Promise<void> {
    await (run.worked ?? run.ended);
    ending += 1;
    if (ending > mostEnding) await run.ended;
    giveBack(free);
    await run.ended;
    ending -= 1;
  }

  /** Looks for jobs that wait for the freed room. */
  function giveBack(free: () => void): void {
    free();
    if (left === "full") alarm.wake();
  }

  function enterHere(share: string): JobEntry | undefined {
    const free = roomLeft() > 0 ? kind.reserve(share) : undefined;
    if (free === undefined) return undefined;
    // If it was stored and only the answer was lost, it is a stray.
    return { as: "leased", stored: (held, begin) => start(held, begin, free), notStored: () => giveBack(free) };
  }

  function queued(share: string): JobEntry {
    const end = turns.queue(share);
    return {
      as: "ready",
      stored: () => {
        end();
        wake(share);
      },
      notStored: end,
    };
  }

  async function release(held: readonly HeldJob[], afterMs = 0): Promise<void> {
    if (held.length === 0) return;
    await store
      .release(held, { counted: false, afterMs })
      .catch((cause: unknown) => observer.storeFailed("release", cause));
  }

  const started = (job: TakenJob<Own>, free: () => void): void => start(job, () => kind.run(job), free);
  const taker = takeKind({ store, kind, turns, observer, roomLeft, start: started });

  function wake(share?: string): void {
    taker.lookAgain(share);
    alarm.wake();
  }

  async function takeAgainAndAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      left = await taker.take();
      // Varies the pause, so that processes that started together drift apart.
      if (left !== "more") await alarm.sleep(idleMs * (0.75 + Math.random() / 2));
    }
  }

  function letGo(run: JobRun, why: LetGo): void {
    if (run.isEnding) return;
    run.drop(why);
    observer.letGo?.(kind.kind, run, why);
  }

  async function check(): Promise<void> {
    // The end of an ending job is being stored, and the store itself checks the lease.
    const working = [...runs.values()].filter(({ isEnding }) => !isEnding);
    if (working.length === 0) return;
    try {
      for (const { id, attempt, outcome } of await store.lost(working)) {
        const run = runs.get(id);
        if (run?.attempt === attempt) letGo(run, outcome === "canceled" ? "canceled" : "taken_over");
      }
    } catch (cause) {
      observer.storeFailed("renew", cause);
    }
  }

  async function releaseStrays(): Promise<void> {
    try {
      const strays = await findStrays();
      await release(strays);
      if (strays.length > 0) wake();
    } catch (cause) {
      observer.storeFailed("renew", cause);
    }
  }

  async function checkAgainAndAgain(): Promise<void> {
    const { signal } = stopped;
    while (!signal.aborted) {
      await delay(Math.min(checkMs, lease.leaseMs / 3), undefined, { signal, ref: false }).catch(() => undefined);
      await check();
      await releaseStrays();
    }
  }

  const allEnded = (): Promise<unknown> => Promise.all([...runs.values()].map(({ ended }) => ended));

  async function giveUp(open: readonly JobRun[], afterMs = 0): Promise<void> {
    const again = open.filter(({ isEnding, stop }) => !isEnding && stop === undefined);
    for (const run of open) {
      if (again.includes(run)) letGo(run, "stopping");
      else run.stop?.();
      run.abandon();
    }
    await release(again, afterMs);
  }

  return {
    start: () => {
      loops = [takeAgainAndAgain(), checkAgainAndAgain()];
    },
    enter: (share) =>
      (turns.isNext(share, kind.free(share), kind.room()) ? enterHere(share) : undefined) ?? queued(share),
    enterHere,
    wake,
    cancel: (id) => {
      const run = runs.get(id);
      if (run !== undefined) letGo(run, "canceled");
      return run !== undefined;
    },
    find: (id) => runs.get(id),
    running: () => runs.size,
    lose: () => {
      for (const run of runs.values()) letGo(run, "taken_over");
    },
    check,
    stop: async (graceMs, afterMs) => {
      stopping.abort();
      alarm.wake();
      await loops[0];
      await giveUp([...runs.values()].filter(({ onlyWaits, isEnding }) => onlyWaits === true && !isEnding));
      await Promise.race([allEnded(), delay(graceMs, undefined, { ref: false })]);
      await giveUp([...runs.values()], afterMs);
      await allEnded();
      stopped.abort();
      await loops[1];
    },
  };
}
