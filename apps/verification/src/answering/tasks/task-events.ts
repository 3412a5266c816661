import { isTaskEvent, type TaskProgress } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";

/** Receives the events of a running task. */
export interface TaskViewer {
  readonly onAccepted: (taskId: string) => void;
  /** Called with each newer progress. */
  readonly onProgress: (progress: TaskProgress) => void;
  /** Called with all text of the answer so far. */
  readonly onText: (text: string) => void;
}

/** The events received for one task, over any number of calls. */
export interface TaskEvents {
  readonly listen: NonNullable<CallOptions["onProgress"]>;
  /** Reports progress unless an equal or newer one was reported before; returns true if it did. */
  progressed(progress: TaskProgress | undefined): boolean;
  /** Undefined until execution has accepted the task. */
  readonly taskId: string | undefined;
  /** The number of the last event; 0 before the first. */
  readonly seq: number;
  /** Number of events received. */
  readonly heard: number;
  /** The revision of the last progress; 0 before the first. */
  readonly revision: number;
}

/** Joins the events of a task: repeated text is replaced, and text after a gap is ignored. */
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
