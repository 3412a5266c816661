import type { DevSlack } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";

/** Number of calls that stream answers. */
interface StreamCounts {
  started: number;
  appended: number;
  stopped: number;
  /** Calls of the three methods that failed. */
  failed: number;
}

const counted: Readonly<Record<string, keyof StreamCounts | undefined>> = {
  "chat.startStream": "started",
  "chat.appendStream": "appended",
  "chat.stopStream": "stopped",
};

/** Counts the calls from now on. */
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

const longMs = 60_000;

export function watchSilence({ control }: DevSlack, { now }: Journal) {
  let since = Infinity;
  control.subscribe(({ type }) => {
    if (since < Infinity && type.startsWith("message")) since = now();
  });
  return {
    /** Starts the detection, when all disturbances are over. */
    begin: () => {
      since = now();
    },
    /** Returns whether no message has been posted or changed for a minute. */
    isLong: () => now() - since > longMs,
  };
}
