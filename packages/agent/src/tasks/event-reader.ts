import { isTerminal, type StreamEvent } from "../a2a/types.ts";
import { catchUp, snapshotOf, type TaskRecord } from "./task-record.ts";

/** The events of a task for one stream. */
export interface EventReader {
  /** Resolves with the next event; undefined when the stream ends. */
  readonly next: () => Promise<StreamEvent | undefined>;
  /** Ends the stream. The task goes on. */
  readonly close: () => void;
}

/**
 * Reads a task as it is now, then its events until it ends or asks a question. A reader is only a position in the events
 * that the task keeps for all of them, so a slow reader takes no memory.
 */
export function createEventReader(record: TaskRecord, historyLength?: number): EventReader {
  const { log, waiters } = record;
  let isClosed = false;
  let wake: (() => void) | undefined;
  let at = log.first + log.events.length;
  const ahead: StreamEvent[] = [{ task: snapshotOf(record, { historyLength }) }];
  const take = (): StreamEvent | undefined => {
    if (ahead.length === 0 && at < log.first) {
      ahead.push(...catchUp(record));
      at = log.first + log.events.length;
    }
    return ahead.shift() ?? (at < log.first + log.events.length ? log.events[at++ - log.first] : undefined);
  };
  const next = async (): Promise<StreamEvent | undefined> => {
    while (!isClosed) {
      const event = take();
      if (event !== undefined) {
        isClosed = isLast(event) && ahead.length === 0;
        return event;
      }
      await new Promise<void>((resolve) => waiters.add((wake = resolve)));
      if (wake) waiters.delete(wake);
    }
    return undefined;
  };
  const close = (): void => {
    isClosed = true;
    wake?.();
  };
  return { next, close };
}

function isLast(event: StreamEvent): boolean {
  if ("task" in event) return isTerminal(event.task.status.state);
  return "statusUpdate" in event && event.statusUpdate.status.state !== "TASK_STATE_WORKING";
}

/** Resolves when a task has ended or asks a question. */
export async function untilIdle(record: TaskRecord): Promise<void> {
  while (record.status.state === "TASK_STATE_WORKING") {
    let wake: (() => void) | undefined;
    await new Promise<void>((resolve) => record.waiters.add((wake = resolve)));
    if (wake) record.waiters.delete(wake);
  }
}
