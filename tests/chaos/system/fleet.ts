import { setTimeout as wait } from "node:timers/promises";
import type { Journal } from "../journal.ts";
import type { PlannedKill, Zone } from "../plan/disturbance-plan.ts";
import { startZoneProcess, type ZoneProcess } from "./zone-process.ts";

export type Fleet = ReturnType<typeof createFleet>;

/** Working time before a process can be killed, unless the kill is an early one, milliseconds. */
const settledMs = 500;

/** Delay before a process is replaced that ended by itself, milliseconds. It may have had no database. */
const againMs = 400;

/** The processes of one zone, as a platform runs them: one, or two during a redeploy. A process that dies is replaced. */
export function createFleet(zone: Zone, options: PoolOptions) {
  const pool = createPool(zone, options);
  let turn = 0;
  return {
    /** Returns the port of a process that listens, round robin. */
    port: (): number | undefined => {
      const ports = pool.processes.flatMap(({ port }) => port ?? []);
      return ports[turn++ % ports.length];
    },
    /** Resolves when a process works, or after this time. */
    working: async (limitMs: number) => {
      const last = performance.now() + limitMs;
      const works = ({ workingMs }: ZoneProcess): boolean => workingMs !== undefined;
      while (!pool.living().some(works) && performance.now() < last) await wait(50);
    },
    /** Number of live processes. */
    get live() {
      return pool.processes.length;
    },
    /** Number of processes that ended by themselves after they had listened. */
    get crashes() {
      return pool.crashes();
    },
    start: async () => pool.begin().up,
    /** Kills a process with SIGKILL and starts another after the pause. Returns false if no process can be killed. */
    kill: ({ which, pauseMs, early }: PlannedKill) => {
      const victim = chosen(which, pool.living(), ({ workingMs = -1 }) => early || workingMs > settledMs);
      if (victim === undefined) return false;
      pool.end(victim, "SIGKILL");
      void victim.ended.then(() => pool.fill(pauseMs));
      return true;
    },
    /** Suspends a process. Returns false if none listens. */
    freeze: (which: number, forMs: number) => {
      const victim = chosen(which, pool.living(), ({ port }) => port !== undefined);
      if (victim === undefined) return false;
      victim.signal("SIGSTOP");
      setTimeout(() => victim.signal("SIGCONT"), forMs);
      return true;
    },
    /** Starts another process, and ends the oldest one after the overlap. */
    redeploy: async (overlapMs: number, politely: boolean) => {
      const contract = pool.expand();
      await pool.begin().up;
      await wait(overlapMs);
      contract(politely ? "SIGTERM" : "SIGKILL");
    },
    /** Ends all processes, by default with SIGTERM, and returns their exit codes. */
    stop: pool.stop,
  };
}

function chosen(
  which: number,
  processes: readonly ZoneProcess[],
  canBe: (one: ZoneProcess) => boolean,
): ZoneProcess | undefined {
  const candidates = processes.filter(canBe);
  return candidates[which % candidates.length];
}

interface PoolOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly journal: Journal;
}

/** Creates the processes behind a fleet. It replaces a process that ends by itself. */
function createPool(zone: Zone, { env, journal }: PoolOptions) {
  const processes: ZoneProcess[] = [];
  const ended = new Set<ZoneProcess>();
  let wanted = 1;
  let number = 0;
  let crashes = 0;
  let over = false;

  /** Returns the processes that were not told to end. */
  const living = (): ZoneProcess[] => processes.filter((one) => !ended.has(one));

  function begin(): ZoneProcess {
    const started = startZoneProcess(zone, { name: `${zone} ${++number}`, env, journal });
    processes.push(started);
    void replace(started);
    return started;
  }

  async function replace(started: ZoneProcess): Promise<void> {
    await started.up;
    const listened = started.port !== undefined;
    await started.ended;
    processes.splice(processes.indexOf(started), 1);
    if (ended.has(started) || over) return;
    if (listened) crashes += 1;
    await fill(againMs);
  }

  async function fill(pauseMs: number): Promise<void> {
    await wait(pauseMs);
    if (!over && living().length < wanted) begin();
  }

  function end(victim: ZoneProcess, signal: "SIGKILL" | "SIGTERM"): void {
    ended.add(victim);
    victim.signal(signal);
  }

  return {
    processes,
    crashes: () => crashes,
    living,
    begin,
    fill,
    end,
    /** Allows one more process. The function that it returns ends the oldest one. */
    expand: () => {
      wanted += 1;
      return (signal: "SIGKILL" | "SIGTERM"): void => {
        wanted -= 1;
        const [oldest, ...others] = living();
        if (oldest !== undefined && others.length >= wanted && !over) end(oldest, signal);
      };
    },
    stop: async (signal: "SIGKILL" | "SIGTERM" = "SIGTERM"): Promise<(number | NodeJS.Signals)[]> => {
      over = true;
      const last = [...processes];
      for (const one of last) {
        one.signal("SIGCONT");
        end(one, signal);
      }
      return Promise.all(last.map((one) => one.ended));
    },
  };
}
