import { setTimeout as delay } from "node:timers/promises";
import type { TaskProgress } from "@crosszone/contracts";
import { progressOf, type RunStates, type Workflows } from "@crosszone/workflow";
import type { AgentProgress } from "../agent.ts";

/** The most steps that are told of; the contract has no more (`task-progress.schema.json`). */
const mostSteps = 50;

/** Between two looks at a run that is not there yet, or that has ended while its task has not; milliseconds. */
const pauseMs = 500;

/** How far a run is, or how it went once it has ended, as it is told of its task. */
export function taskProgressOf({ run, record }: RunStates): TaskProgress {
  const steps = progressOf(run.definition, record);
  const more = steps.length - mostSteps;
  return { revision: run.revision, steps: steps.slice(0, mostSteps), ...(more > 0 && { more }) };
}

/** How far a task is whose run has its id: read from the run, whichever processes bring that forward. */
export function createRunProgress({ states, waitForRun }: Pick<Workflows, "states" | "waitForRun">): AgentProgress {
  return {
    read: async (taskId) => {
      const found = await states(taskId);
      return found && taskProgressOf(found);
    },

    waitForNewer: async (taskId, seen, signal) => {
      while (!signal.aborted) {
        const standing = await waitForRun(taskId, { since: seen, signal });
        // With the run its task ends, and who waits is to be told of that.
        if (standing !== undefined && !standing.hasEnded) return;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
