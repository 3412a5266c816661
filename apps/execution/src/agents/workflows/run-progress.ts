import { setTimeout as delay } from "node:timers/promises";
import type { TaskProgress } from "@crosszone/contracts";
import { progressOf, type RunStates, type Workflows } from "@crosszone/workflow";
import type { AgentProgress } from "../agent.ts";

/** The most steps reported. The contract allows no more (`task-progress.schema.json`). */
const mostSteps = 50;

/** Pause between reads of a run that doesn't exist yet, or that ended while its task has not; milliseconds. */
const pauseMs = 500;

/** Returns the task's progress from its run, also after the run has ended. */
export function taskProgressOf({ run, record }: RunStates): TaskProgress {
  const steps = progressOf(run.definition, record);
  const more = steps.length - mostSteps;
  return { revision: run.revision, steps: steps.slice(0, mostSteps), more: more > 0 ? more : undefined };
}

/** Reports the progress of tasks whose run has the task's id. Reads the run, whichever process executes it. */
export function createRunProgress({ states, waitForRun }: Workflows): AgentProgress {
  return {
    read: async (taskId) => {
      const found = await states(taskId);
      return found && taskProgressOf(found);
    },

    waitForNewer: async (taskId, seen, signal) => {
      while (!signal.aborted) {
        const standing = await waitForRun(taskId, { since: seen, signal });
        // The task ends with its run, and the waiting caller receives that end.
        if (standing !== undefined && !standing.hasEnded) return;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
