import { setTimeout as delay } from "node:timers/promises";
import type { AgentCallProgress, ReadAgentProgress, StreamedTask } from "@crosszone/agent-bridge";
import { ownList } from "@crosszone/service-kit/json";
import type { AgentProgress, TaskPreview } from "../agent.ts";
import { createPartsReader, isLinkedFile, joinTexts } from "../answers/answer-parts.ts";

/** How often progress is read for a waiting caller, milliseconds. */
const readEveryMs = 1_000;

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
        await delay(readEveryMs, undefined, { signal }).catch(() => undefined);
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

/** Shows the text of one task's artifacts while they grow. */
interface ArtifactPreview {
  /** Takes the artifacts so far, an array that may change later. Never throws. */
  readonly show: (artifacts: readonly unknown[]) => void;
  readonly close: () => void;
}

/** The shortest time between two reads of the artifacts, milliseconds. */
const previewEveryMs = 60;
/** The largest share of time spent reading artifacts. An agent may replace a long artifact repeatedly. */
const mostBusy = 0.1;

/**
 * Creates a preview that calls `add` with each new piece of text. The pieces together are the beginning of the answer.
 * It stops once the artifacts no longer begin with the shown text, because the agent replaced one or continued an
 * earlier one.
 */
export function createArtifactPreview(add: (delta: string) => void): ArtifactPreview {
  const beginningOf = createAnswerBeginning();
  let artifacts: readonly unknown[] = [];
  let shown = "";
  let isNewer = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function close(): void {
    isOver = true;
    clearTimeout(timer);
  }

  function extend(): void {
    const text = beginningOf(artifacts);
    if (!text.startsWith(shown)) return close();
    if (text.length > shown.length) add(text.slice(shown.length));
    shown = text;
  }

  function look(): void {
    timer = undefined;
    if (!isNewer) return;
    isNewer = false;
    const startedAt = performance.now();
    try {
      extend();
    } catch {
      // The data is nested too deeply for JSON. The answer fails with the same error.
      close();
    }
    const tookMs = performance.now() - startedAt;
    if (!isOver) timer = setTimeout(look, Math.max(previewEveryMs, tookMs / mostBusy)).unref();
  }

  return {
    show: (latest) => {
      if (isOver) return;
      artifacts = latest;
      isNewer = true;
      if (timer === undefined) look();
    },
    close,
  };
}

/** An artifact and its progress. */
interface ReadArtifact {
  readonly artifact: unknown;
  readonly reader: ReturnType<typeof createPartsReader>;
  /** Number of parts read. */
  count: number;
  /** Whether the next part is a file that the agent links to. */
  isCut: boolean;
}

/**
 * Returns a function that returns the text that the answer begins with if the agent only appends to the given
 * artifacts. The text ends before the first linked file, because only the answer knows whether the file was fetched. It
 * has no trailing whitespace. Parts already read are not read again; otherwise a long stream would cost quadratic time.
 */
function createAnswerBeginning(): (artifacts: readonly unknown[]) => string {
  let known: readonly ReadArtifact[] = [];
  return (artifacts) => {
    const read: ReadArtifact[] = [];
    for (const [index, artifact] of artifacts.entries()) {
      const before = known[index];
      const isKnown = before !== undefined && before.artifact === artifact;
      const one = isKnown ? before : { artifact, reader: createPartsReader(), count: 0, isCut: false };
      readOn(one);
      read.push(one);
      if (one.isCut) break;
    }
    known = read;
    const isOpen = read.findIndex(({ reader }) => reader.beginning !== reader.text);
    return joinTexts(read.slice(0, isOpen + 1 || read.length).map(({ reader }) => reader.beginning));
  };
}

function readOn(one: ReadArtifact): void {
  const parts = ownList(one.artifact, "parts");
  for (; one.count < parts.length && !one.isCut; one.count += 1) {
    const part = parts[one.count];
    one.isCut = isLinkedFile(part);
    if (!one.isCut) one.reader.add(part);
  }
}
