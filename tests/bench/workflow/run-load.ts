import { setTimeout as delay } from "node:timers/promises";
import { chainCount, type Pace } from "./chains.ts";
import type { Point } from "./plan.ts";
import type { RunPeer } from "./peers/run-peer.ts";

/** What one process did in a time. */
export interface LoadWindow {
  /** Steps that were done here. */
  readonly steps: number;
  /** How long each took, from the step before it in its run or from the run's begin; milliseconds. */
  readonly stepMs: readonly number[];
  /** CPU time of the process, microseconds. */
  readonly cpuUs: number;
}

export interface RunLoad {
  /** Told by the peer that a step is done. */
  readonly onStep: (runId: string) => void;
  /** Told by the peer that a run has ended: the next one begins. */
  readonly onEnded: (runId: string, problem: string | undefined) => void;
  /** Has so many runs under way from now on. */
  readonly begin: (peer: RunPeer, point: Point) => Promise<void>;
  /** Rejects when a run did not give what it should. */
  readonly look: (ms: number) => Promise<LoadWindow>;
  /** Begins no more of them. */
  readonly end: () => void;
  /** How many were begun here and how many ended here, since the process started. */
  readonly tally: () => { readonly begun: number; readonly ended: number };
}

/** Who sees a run end begins the next one: so many are under way at any time, in all processes together. */
export function createRunLoad(): RunLoad {
  const lastAt = new Map<string, number>();
  let stepMs: number[] = [];
  let begun = 0;
  let ended = 0;
  let steps = 0;
  let problem: string | undefined;
  let current: { readonly peer: RunPeer; readonly pace: Pace } | undefined;

  async function next(): Promise<void> {
    if (current === undefined) return;
    const at = performance.now();
    begun += 1;
    lastAt.set(await current.peer.begin(current.pace, begun % chainCount), at);
  }

  const fail = (error: unknown): void => {
    problem ??= String(error);
  };

  return {
    onStep: (runId) => {
      steps += 1;
      const now = performance.now();
      const before = lastAt.get(runId);
      if (before !== undefined) stepMs.push(now - before);
      lastAt.set(runId, now);
    },
    onEnded: (runId, wrong) => {
      ended += 1;
      lastAt.delete(runId);
      if (wrong !== undefined) fail(`${runId}: ${wrong.slice(0, 500)}`);
      next().catch(fail);
    },
    begin: async (peer, { pace, runs }) => {
      current = { peer, pace };
      await Promise.all(Array.from({ length: runs }, next));
    },
    look: async (ms) => {
      stepMs = [];
      const before = steps;
      const cpu = process.cpuUsage();
      await delay(ms);
      const { user, system } = process.cpuUsage(cpu);
      if (problem !== undefined) throw new Error(`not the end that was expected: ${problem}`);
      return { steps: steps - before, stepMs, cpuUs: user + system };
    },
    end: () => {
      current = undefined;
    },
    tally: () => ({ begun, ended }),
  };
}
