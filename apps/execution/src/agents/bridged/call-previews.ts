import { setTimeout as delay } from "node:timers/promises";
import type { AgentCallProgress, ReadAgentProgress, StreamedTask } from "@crosszone/agent-bridge";
import { ownList } from "@crosszone/service-kit/json";
import type { AgentProgress, TaskPreview } from "../agent.ts";
import { createPartsReader, isLinkedFile, joinTexts } from "../answer-parts.ts";

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
export type CallPreviews = ReturnType<typeof createCallPreviews>;

export function createCallPreviews() {
  const byTask = new Map<string, { readonly artifacts: ArtifactPreview; readonly preview: TaskPreview }>();
  // The call of a workflow step has the run's id.
  const openedOf = ({ run_id, task_id }: StreamedTask) => (run_id === task_id ? byTask.get(task_id) : undefined);
  return {
    /** Starts to show a task's artifacts and progress on its preview. Returns a function that stops. */
    open: (taskId: string, preview: TaskPreview): (() => void) => {
      const opened = { artifacts: new ArtifactPreview(preview.text), preview };
      byTask.set(taskId, opened);
      return () => {
        opened.artifacts.close();
        // A later run of the task may have opened its own preview.
        if (byTask.get(taskId) === opened) byTask.delete(taskId);
      };
    },
    /**
     * Shows the artifacts of an agent call so far, an array that may change later. Ignores the calls of workflow steps
     * and of tasks in other processes. Never throws.
     */
    show: (call: StreamedTask, artifacts: readonly unknown[]): void => openedOf(call)?.artifacts.show(artifacts),
    /** Shows the progress of such a call. Never throws. */
    showProgress: (call: StreamedTask, progress: AgentCallProgress): void =>
      openedOf(call)?.preview.progress({ ...progress, steps: [] }),
  };
}

/** The shortest time between two reads of the artifacts, milliseconds. */
const previewEveryMs = 60;
/** The largest share of time spent reading artifacts. An agent may replace a long artifact repeatedly. */
const mostBusy = 0.1;

/**
 * Shows the text of one task's artifacts while they grow: calls `add` with each new piece. The pieces together are the beginning of the answer. It
 * stops once the artifacts no longer begin with the shown text, because the agent replaced one or continued an earlier one.
 */
export class ArtifactPreview {
  readonly #add: (delta: string) => void;
  #artifacts: readonly unknown[] = [];
  #read: readonly ReadArtifact[] = [];
  #shown = "";
  #isNewer = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(add: (delta: string) => void) {
    this.#add = add;
  }

  /** Takes the artifacts so far, an array that may change later. Never throws. */
  show(latest: readonly unknown[]): void {
    if (this.#isOver) return;
    this.#artifacts = latest;
    this.#isNewer = true;
    if (this.#timer === undefined) this.#look();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    this.#timer = undefined;
    if (!this.#isNewer) return;
    this.#isNewer = false;
    const startedAt = performance.now();
    try {
      this.#extend();
    } catch {
      // The data is nested too deeply for JSON. The answer fails with the same error.
      this.close();
    }
    const tookMs = performance.now() - startedAt;
    const waitMs = Math.max(previewEveryMs, tookMs / mostBusy);
    if (!this.#isOver) this.#timer = setTimeout(() => this.#look(), waitMs).unref();
  }

  #extend(): void {
    const text = this.#beginning();
    if (!text.startsWith(this.#shown)) return this.close();
    if (text.length > this.#shown.length) this.#add(text.slice(this.#shown.length));
    this.#shown = text;
  }

  /**
   * Returns the text that the answer begins with if the agent only appends to the artifacts. It ends before the first linked file, because only
   * the answer knows whether the file was fetched. It has no trailing whitespace. Parts already read are not read again; otherwise a long stream
   * would cost quadratic time.
   */
  #beginning(): string {
    const read: ReadArtifact[] = [];
    for (const [index, artifact] of this.#artifacts.entries()) {
      const before = this.#read[index];
      const isKnown = before !== undefined && before.artifact === artifact;
      const one = isKnown ? before : { artifact, reader: createPartsReader(), count: 0, isCut: false };
      readOn(one);
      read.push(one);
      if (one.isCut) break;
    }
    this.#read = read;
    const isOpen = read.findIndex(({ reader }) => reader.beginning !== reader.text);
    return joinTexts(read.slice(0, isOpen + 1 || read.length).map(({ reader }) => reader.beginning));
  }
}

interface ReadArtifact {
  readonly artifact: unknown;
  readonly reader: ReturnType<typeof createPartsReader>;
  /** Number of parts read. */
  count: number;
  /** Whether the next part is a file that the agent links to. */
  isCut: boolean;
}

function readOn(one: ReadArtifact): void {
  const parts = ownList(one.artifact, "parts");
  for (; one.count < parts.length && !one.isCut; one.count += 1) {
    const part = parts[one.count];
    one.isCut = isLinkedFile(part);
    if (!one.isCut) one.reader.add(part);
  }
}
