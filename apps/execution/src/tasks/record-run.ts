import { setTimeout as delay } from "node:timers/promises";
import { noLonger } from "@crosszone/service-kit/timing";
import type { AgentProgress } from "../agents/agent.ts";
import { copyProgress, type PreviewLog } from "./preview-log.ts";
import type { LoggedEvent } from "./sql/task-log.ts";
import type { RunDeps, TaskJob } from "./task-job.ts";
import { taskIds } from "./task.ts";

/** Shortest time between two writes of a task's events, milliseconds. What is shown meanwhile is one event. */
const everyMs = 100;
/** The most that is stored of what one run shows, characters of JSON. The answer contains what is left out. */
export const mostLogged = 512_000;

interface RecordPreviewOptions {
  /** Stores events. Resolves with false when the task is no longer this process's. */
  readonly append: (events: readonly LoggedEvent[]) => Promise<boolean>;
  readonly onFailed: (cause: unknown) => void;
}

/**
 * Stores what a preview shows, from now on. Returns a function that stores the rest and ends; call it after the preview's end. Events that
 * can't be stored are dropped: the answer contains their text.
 */
function recordPreview(shown: PreviewLog, { append, onFailed }: RecordPreviewOptions): () => Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const record = async (): Promise<void> => {
    let left = mostLogged;
    for (let seen = shown.seenWith(0); ;) {
      await shown.waitForNewer(seen, signal);
      const isOver = signal.aborted;
      const news = shown.since(seen);
      ({ seen } = news);
      const events = news.events.filter((event) => event.type === "text" || event.type === "progress");
      left -= events.length === 0 ? 0 : JSON.stringify(events).length;
      if (left < 0 || (events.length > 0 && !(await append(events)))) return;
      if (isOver) return;
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const recording = record().catch(onFailed);
  return async () => {
    over.abort(noLonger);
    await recording;
  };
}

/** Stores what a run shows, and the progress of its agent. Returns a function that stores the rest, after the end of what is shown. */
export function recordRun(
  { store, tails, emit }: RunDeps,
  job: TaskJob,
  { shown, progress }: { readonly shown: PreviewLog; readonly progress: AgentProgress | undefined },
): () => Promise<void> {
  const over = new AbortController();
  const onFailed = (cause: unknown): void => emit("task_progress_failed", { ...taskIds(job.task), cause });
  const append = async (events: readonly LoggedEvent[]): Promise<boolean> => {
    const isStored = await store.log.append(job, events);
    tails.stored(job.id);
    return isStored;
  };
  const end = recordPreview(shown, { append, onFailed });
  if (progress) copyProgress(progress, { taskId: job.id, to: shown, signal: over.signal }).catch(onFailed);
  return () => {
    over.abort(noLonger);
    return end();
  };
}
