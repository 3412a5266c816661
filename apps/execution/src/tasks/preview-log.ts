import type { TaskEvent, TaskProgress } from "@crosszone/contracts";
import { unlessAborted } from "@crosszone/service-kit";
import type { TaskPreview } from "../agents/agent.ts";

/** What one who watches has seen: the last event, and so much of the text. */
export interface Seen {
  readonly seq: number;
  /** UTF-16 units. */
  readonly offset: number;
}

/** What one run of a task has shown so far, for any number of watchers. Each is as fast as it likes: what it missed comes as one event. */
export interface PreviewLog {
  readonly preview: TaskPreview;
  /** What is to be told to who has seen this, oldest first, and what they have seen after that. */
  since(seen: Seen): { readonly events: readonly TaskEvent[]; readonly seen: Seen };
  /** What was seen with the event `seq`. When that is not known any more, or was another run's, nothing. */
  seenWith(seq: number): Seen;
  /** Resolves when there is something newer, or with the signal. */
  waitForNewer(seen: Seen, signal: AbortSignal): Promise<void>;
  readonly progress: TaskProgress | undefined;
  /** Shows progress that has a revision already, unless it is known. */
  showProgress(progress: TaskProgress): void;
  /** The run is over: what was held back a moment is shown. */
  end(): void;
}

/** Text is shown so often at the most, milliseconds. */
const everyMs = 60;
/** More text than this is not shown before the answer is there, UTF-16 units. */
const mostText = 256 * 1024;
/** So many events are known to those who come back. */
const mostMarks = 1_000;

/** The number of each event is larger than `first`. */
export function createPreviewLog(taskId: string, first = 0): PreviewLog {
  let seq = first;
  let text = "";
  let shown: Seen = { seq, offset: 0 };
  let marks: Seen[] = [];
  let progress: TaskProgress | undefined;
  let progressSeq = 0;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  let news = Promise.withResolvers<void>();

  function tell(): void {
    const { resolve } = news;
    news = Promise.withResolvers();
    resolve();
  }

  function showProgress(next: TaskProgress): void {
    if (progress !== undefined && next.revision <= progress.revision) return;
    progress = next;
    seq += 1;
    progressSeq = seq;
    tell();
  }

  function showText(): void {
    timer = undefined;
    // Half a character is shown with its other half.
    const last = text.charCodeAt(text.length - 1);
    const offset = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    if (offset === shown.offset) return;
    shown = { seq: (seq += 1), offset };
    marks.push(shown);
    if (marks.length > 2 * mostMarks) marks = marks.slice(-mostMarks);
    timer = setTimeout(showText, everyMs).unref();
    tell();
  }

  return {
    preview: {
      text: (delta) => {
        isFull ||= text.length + delta.length > mostText;
        if (isFull) return;
        text += delta;
        if (timer === undefined) showText();
      },
      progress: (said) => showProgress({ ...said, revision: (progress?.revision ?? 0) + 1 }),
    },
    showProgress,
    get progress() {
      return progress;
    },
    since: (seen) => {
      const events: TaskEvent[] = [];
      if (progress !== undefined && progressSeq > seen.seq)
        events.push({ type: "progress", task_id: taskId, seq: progressSeq, progress });
      if (shown.offset > seen.offset)
        events.push({
          type: "text",
          task_id: taskId,
          seq: shown.seq,
          offset: seen.offset,
          delta: text.slice(seen.offset, shown.offset),
        });
      events.sort((a, b) => a.seq - b.seq);
      return { events, seen: { seq: Math.max(seen.seq, seq), offset: shown.offset } };
    },
    seenWith: (at) => {
      if (at <= first || at > seq) return { seq: first, offset: 0 };
      const { offset } = marks.findLast((mark) => mark.seq <= at) ?? { offset: 0 };
      return { seq: at, offset };
    },
    waitForNewer: async (seen, signal) => {
      if (seq > seen.seq) return;
      await unlessAborted(news.promise, signal).catch(() => undefined);
    },
    end: () => {
      clearTimeout(timer);
      showText();
    },
  };
}
