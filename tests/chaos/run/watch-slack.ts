import type { DevSlack } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";

/** How often answers were shown while they grew. */
export interface StreamCounts {
  started: number;
  appended: number;
  stopped: number;
  /** Calls of the three methods that were refused, failed, or had no answer. */
  failed: number;
}

const counted: Readonly<Record<string, keyof StreamCounts | undefined>> = {
  "chat.startStream": "started",
  "chat.appendStream": "appended",
  "chat.stopStream": "stopped",
};

/** Counts from now on. */
export function countStreams({ control }: DevSlack): StreamCounts {
  const counts: StreamCounts = { started: 0, appended: 0, stopped: 0, failed: 0 };
  control.subscribe((event) => {
    const name = event.type === "traffic" && event.entry.kind === "web_api" ? counted[event.entry.name] : undefined;
    if (event.type !== "traffic" || name === undefined) return;
    const isDone = event.entry.status === 200 && (event.entry.response as { ok?: unknown } | null)?.ok === true;
    counts[isDone ? name : "failed"] += 1;
  });
  return counts;
}

/** Knows when to stop waiting for answers. */
export interface Silence {
  /** From now on everything is whole. */
  readonly begin: () => void;
  /** Whether nothing has been said for so long, since then, that nothing will be. */
  readonly isLong: () => boolean;
}

const longMs = 60_000;

export function watchSilence({ control }: DevSlack, { now }: Journal): Silence {
  let since = Infinity;
  control.subscribe(({ type }) => {
    if (since < Infinity && type.startsWith("message")) since = now();
  });
  return {
    begin: () => {
      since = now();
    },
    isLong: () => now() - since > longMs,
  };
}
