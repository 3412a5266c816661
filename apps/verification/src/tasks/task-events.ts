import { isTaskEvent, type TaskProgress } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";

/** Told what a task shows while it runs. */
export interface TaskViewer {
  readonly onAccepted: (taskId: string) => void;
  /** Told how far the task is, each time that it is further. */
  readonly onProgress: (progress: TaskProgress) => void;
  /** Told all the text that the task has shown so far. */
  readonly onText: (text: string) => void;
}

/** What was heard of one task, over any number of calls. */
export interface TaskEvents {
  readonly listen: NonNullable<CallOptions["onProgress"]>;
  /** Tells progress, unless it was told before. True when it was not. */
  progressed(progress: TaskProgress | undefined): boolean;
  /** Undefined until it is known. */
  readonly taskId: string | undefined;
  /** The number of the last event; 0 before the first. */
  readonly seq: number;
  /** How many events there were. */
  readonly heard: number;
  /** The revision of the last progress; 0 before the first. */
  readonly revision: number;
}

/** Puts the events of a task together: text that was seen before is replaced, and text that does not join on is left out. */
export function createTaskEvents({ onAccepted, onProgress, onText }: TaskViewer): TaskEvents {
  let taskId: string | undefined;
  let text = "";
  let [seq, heard, revision] = [0, 0, 0];

  function progressed(progress: TaskProgress | undefined): boolean {
    if (progress === undefined || progress.revision <= revision) return false;
    revision = progress.revision;
    onProgress(progress);
    return true;
  }

  return {
    listen: ({ method, params }) => {
      if (method !== "task_event" || !isTaskEvent(params)) return;
      heard += 1;
      if (taskId !== params.task_id) {
        taskId = params.task_id;
        onAccepted(taskId);
      }
      if (params.type === "text" && params.offset <= text.length) {
        text = text.slice(0, params.offset) + params.delta;
        onText(text);
      }
      if (params.type === "progress") progressed(params.progress);
      seq = params.seq;
    },
    progressed,
    get taskId() {
      return taskId;
    },
    get seq() {
      return seq;
    },
    get heard() {
      return heard;
    },
    get revision() {
      return revision;
    },
  };
}
