import { setTimeout as delay } from "node:timers/promises";
import type { AgentCallProgress } from "../calls/call-store.ts";

export interface ProgressWriterOptions {
  readonly write: (progress: AgentCallProgress) => Promise<void>;
  /** Whether the call has ended, so that nothing more is written. */
  readonly isOver: () => boolean;
  /** Called when a text could not be written; the call goes on without it. */
  readonly onFailure: (cause: unknown) => void;
}

/** UTF-16 units that people are shown (`task-progress.schema.json`). */
const mostUnits = 500;
const everyMs = 1_000;

/** Returns a function that writes what an agent says it is doing: the latest text, at most once a second. It never throws. */
export function createProgressWriter({ write, isOver, onFailure }: ProgressWriterOptions): (text: string) => void {
  let latest: string | undefined;
  let isWriting = false;

  async function writeAll(): Promise<void> {
    for (
      let written: string | undefined;
      latest !== written && !isOver();
      await delay(everyMs, undefined, { ref: false })
    ) {
      written = latest;
      await write({ revision: Date.now(), text: written ?? "" });
    }
  }

  return (text) => {
    latest = text.length > mostUnits ? `${text.slice(0, mostUnits - 1)}…`.toWellFormed() : text;
    if (isWriting) return;
    isWriting = true;
    void writeAll()
      .catch(onFailure)
      .finally(() => (isWriting = false));
  };
}
