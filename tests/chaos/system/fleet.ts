import { setTimeout as wait } from "node:timers/promises";
import type { Journal } from "../journal.ts";
import type { PlannedKill, Zone } from "../plan/disturbance-plan.ts";
import { startZoneProcess, type ZoneProcess } from "./zone-process.ts";

/** The processes of one zone, as a platform runs them: one, or two while they are redeployed; who dies is started again. */
export interface Fleet {
  /** The port of one of those that listen, in turn. */
  readonly port: () => number | undefined;
  /** Resolves when one works, or after so long. */
  readonly working: (limitMs: number) => Promise<void>;
  /** How many live. */
  readonly live: number;
  /** How often one ended by itself after it had listened. */
  readonly crashes: number;
  readonly start: () => Promise<void>;
  /** Kills one with -9 and starts another after the pause; false when there is none to kill. */
  readonly kill: (kill: PlannedKill) => boolean;
  /** Lets one stand still; false when none listens. */
  readonly freeze: (which: number, forMs: number) => boolean;
  /** Starts one more, and takes the oldest away after so long. */
  readonly redeploy: (overlapMs: number, politely: boolean) => Promise<void>;
  /** Ends all, by asking them to stop if nothing else is said, and gives their exit codes. */
  readonly stop: (signal?: "SIGKILL" | "SIGTERM") => Promise<(number | NodeJS.Signals)[]>;
}

/** Who is killed has worked for so long, unless it is to die early. */
const settledMs = 500;

/** A platform waits a moment before it starts again what ended at its start, as without a database. */
const againMs = 400;

export function createFleet(
  zone: Zone,
  { env, journal }: { readonly env: Readonly<Record<string, string>>; readonly journal: Journal },
): Fleet {
  const processes: ZoneProcess[] = [];
  const meant = new Set<ZoneProcess>();
  let wanted = 1;
  let number = 0;
  let turn = 0;
  let crashes = 0;
  let over = false;

  /** Those that nobody has told to end. */
  const living = (): ZoneProcess[] => processes.filter((one) => !meant.has(one));

  function begin(): ZoneProcess {
    const started = startZoneProcess(zone, { name: `${zone} ${++number}`, env, journal });
    processes.push(started);
    void replace(started);
    return started;
  }

  /** When it ends, and nobody told it to, another one is started. */
  async function replace(started: ZoneProcess): Promise<void> {
    await started.up;
    const listened = started.port !== undefined;
    await started.ended;
    processes.splice(processes.indexOf(started), 1);
    if (meant.has(started) || over) return;
    if (listened) crashes += 1;
    await fill(againMs);
  }

  async function fill(pauseMs: number): Promise<void> {
    await wait(pauseMs);
    if (!over && living().length < wanted) begin();
  }

  function end(victim: ZoneProcess, signal: "SIGKILL" | "SIGTERM"): void {
    meant.add(victim);
    victim.signal(signal);
  }

  const ports = (): number[] => processes.flatMap(({ port }) => port ?? []);

  return {
    port: () => ports()[turn++ % ports().length],
    working: async (limitMs) => {
      const last = performance.now() + limitMs;
      const works = ({ workingMs }: ZoneProcess): boolean => workingMs !== undefined;
      while (!living().some(works) && performance.now() < last) await wait(50);
    },
    get live() {
      return processes.length;
    },
    get crashes() {
      return crashes;
    },
    start: async () => begin().up,
    kill: ({ which, pauseMs, early }) => {
      const candidates = living().filter(({ workingMs = -1 }) => early || workingMs > settledMs);
      const victim = candidates[which % candidates.length];
      if (victim === undefined) return false;
      end(victim, "SIGKILL");
      void victim.ended.then(() => fill(pauseMs));
      return true;
    },
    freeze: (which, forMs) => {
      const candidates = living().filter(({ port }) => port !== undefined);
      const victim = candidates[which % candidates.length];
      if (victim === undefined) return false;
      victim.signal("SIGSTOP");
      setTimeout(() => victim.signal("SIGCONT"), forMs);
      return true;
    },
    redeploy: async (overlapMs, politely) => {
      wanted += 1;
      await begin().up;
      await wait(overlapMs);
      wanted -= 1;
      const [oldest, ...others] = living();
      if (oldest !== undefined && others.length >= wanted && !over) end(oldest, politely ? "SIGTERM" : "SIGKILL");
    },
    stop: async (signal = "SIGTERM") => {
      over = true;
      const last = [...processes];
      for (const one of last) {
        one.signal("SIGCONT");
        end(one, signal);
      }
      return Promise.all(last.map(({ ended }) => ended));
    },
  };
}
