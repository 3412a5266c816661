import { setTimeout as delay } from "node:timers/promises";
import type { AgentCallProgress, ReadAgentProgress, StreamedTask } from "@crosszone/agent-bridge";
import type { AgentProgress, TaskPreview } from "../agent.ts";
import { type ArtifactPreview, createArtifactPreview } from "../answers/artifact-preview.ts";

/** How often progress is read for a waiting caller, milliseconds. */
const everyMs = 1_000;

/** Reports the progress of registered agents, from the bridge's records of their calls. */
export function createCallProgress(read: ReadAgentProgress): AgentProgress {
  const readTask = (taskId: string) => read({ run_id: taskId, task_id: taskId });
  return {
    read: async (taskId) => {
      const progress = await readTask(taskId);
      return progress && { ...progress, steps: [] };
    },
    waitForNewer: async (taskId, seen, signal) => {
      while (!signal.aborted) {
        const progress = await readTask(taskId);
        if (progress !== undefined && progress.revision > seen) return;
        await delay(everyMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** Connects tasks of this process with the agent calls that its bridge makes. */
export interface CallPreviews {
  /** Starts to show a task's artifacts and progress on its preview. Returns a function that stops. */
  readonly open: (taskId: string, preview: Pick<TaskPreview, "text" | "progress">) => () => void;
  /**
   * Shows the artifacts of an agent call so far, an array that may change later. Ignores the calls of workflow steps
   * and of tasks in other processes. Never throws.
   */
  readonly show: (call: StreamedTask, artifacts: readonly unknown[]) => void;
  /** Shows the progress of such a call. Never throws. */
  readonly showProgress: (call: StreamedTask, progress: AgentCallProgress) => void;
}

export function createCallPreviews(): CallPreviews {
  const byTask = new Map<string, ArtifactPreview & Pick<TaskPreview, "progress">>();
  // The call of a workflow step has the run's id.
  const openedOf = ({ run_id, task_id }: StreamedTask) => (run_id === task_id ? byTask.get(task_id) : undefined);
  return {
    open: (taskId, { text, progress }) => {
      const opened = { ...createArtifactPreview(text), progress };
      byTask.set(taskId, opened);
      return () => {
        opened.close();
        // A later run of the task may have opened its own preview.
        if (byTask.get(taskId) === opened) byTask.delete(taskId);
      };
    },
    show: (call, artifacts) => openedOf(call)?.show(artifacts),
    showProgress: (call, progress) => openedOf(call)?.progress({ ...progress, steps: [] }),
  };
}
