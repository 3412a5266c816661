import type { DevSlack } from "@crosszone/dev-slack";

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
