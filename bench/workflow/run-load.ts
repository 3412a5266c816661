import { setTimeout as delay } from "node:timers/promises";
import { startCpu } from "../kit/commands.ts";
import { chainCount, type Pace } from "./chains.ts";
import type { RunPeer } from "./peers.ts";

/** One load: a number of runs at the same time, with agents that answer at that pace. */
export interface Point {
  readonly pace: Pace;
  readonly runs: number;
}

/** What one process did in a time. */
export interface LoadWindow {
  /** Steps that were done here. */
  readonly steps: number;
  /** How long each took, from the step before it in its run or from the start of the run; milliseconds. */
  readonly stepMs: readonly number[];
  /** CPU time of the process, microseconds. */
  readonly cpuUs: number;
}

/** The process that observes the end of a run starts the next one, so the number of runs stays the same in all processes together. */
export function createRunLoad() {
  const lastAt = new Map<string, number>();
  let stepMs: number[] = [];
  let [begun, ended, steps] = [0, 0, 0];
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
    /** The peer has done a step. */
    onStep: (runId: string): void => {
      steps += 1;
      const now = performance.now();
      const before = lastAt.get(runId);
      if (before !== undefined) stepMs.push(now - before);
      lastAt.set(runId, now);
    },
    /** A run of the peer has ended. */
    onEnded: (runId: string, wrong: string | undefined): void => {
      ended += 1;
      lastAt.delete(runId);
      if (wrong !== undefined) fail(`${runId}: ${wrong.slice(0, 500)}`);
      next().catch(fail);
    },
    /** Keeps some runs in progress from now on. */
    begin: async (peer: RunPeer, { pace, runs }: Point): Promise<void> => {
      current = { peer, pace };
      await Promise.all(Array.from({ length: runs }, next));
    },
    /** Measures for a time. Rejects when the output of a run was wrong. */
    measure: async (ms: number): Promise<LoadWindow> => {
      stepMs = [];
      const before = steps;
      const readCpu = startCpu();
      await delay(ms);
      const cpuUs = readCpu();
      if (problem !== undefined) throw new Error(`not the end that was expected: ${problem}`);
      return { steps: steps - before, stepMs, cpuUs };
    },
    /** Starts no more runs. */
    end: (): void => {
      current = undefined;
    },
    /** Runs that began and ended here since the process started. */
    tally: () => ({ begun, ended }),
  };
}
