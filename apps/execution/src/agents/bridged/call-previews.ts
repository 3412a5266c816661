import type { StreamedTask } from "@crosszone/agent-bridge";
import type { TaskPreview } from "../agent.ts";
import { createArtifactPreview, type ArtifactPreview } from "./artifact-preview.ts";

/** Connects tasks of this process with the agent calls that its bridge makes. */
export interface CallPreviews {
  /** Starts to show a task's artifacts on its preview. Returns a function that stops. */
  readonly open: (taskId: string, preview: Pick<TaskPreview, "text">) => () => void;
  /**
   * Shows the artifacts of an agent call so far, an array that may change later. Ignores the calls of workflow steps
   * and of tasks in other processes. Never throws.
   */
  readonly show: (call: StreamedTask, artifacts: readonly unknown[]) => void;
}

export function createCallPreviews(): CallPreviews {
  const byTask = new Map<string, ArtifactPreview>();
  return {
    open: (taskId, { text }) => {
      const opened = createArtifactPreview(text);
      byTask.set(taskId, opened);
      return () => {
        opened.close();
        // A later run of the task may have opened its own preview.
        if (byTask.get(taskId) === opened) byTask.delete(taskId);
      };
    },
    show: ({ run_id, task_id }, artifacts) => {
      // The call of a workflow step has the run's id.
      if (run_id === task_id) byTask.get(task_id)?.show(artifacts);
    },
  };
}
