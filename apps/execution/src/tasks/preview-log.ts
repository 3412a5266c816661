import type { TaskEvent, TaskProgress } from "@crosszone/contracts";
import { unlessAborted } from "@crosszone/service-kit";
import type { TaskPreview } from "../agents/agent.ts";

/** What a watcher has seen: the last event, and how much of the text. */
export interface Seen {
  readonly seq: number;
  /** UTF-16 units. */
  readonly offset: number;
}

/**
 * The preview of one run of a task, for any number of watchers. Each reads at its own pace; everything it missed
 * arrives as one event.
 */
export interface PreviewLog {
  readonly preview: TaskPreview;
  /** Returns the events after what a watcher has seen, oldest first, and what it has seen after them. */
  since(seen: Seen): { readonly events: readonly TaskEvent[]; readonly seen: Seen };
  /**
   * Returns what was seen with the event `seq`. Returns the beginning when that event is forgotten, or was another
   * run's.
   */
  seenWith(seq: number): Seen;
  /** Resolves when something newer exists, or when the signal aborts. */
  waitForNewer(seen: Seen, signal: AbortSignal): Promise<void>;
  readonly progress: TaskProgress | undefined;
  /** Whether the run shows all of its progress here. */
  readonly showsProgress: boolean;
  /** Adds progress that already has a revision, unless it is known. */
  showProgress(progress: TaskProgress): void;
  /** Ends the run: shows what was held back. */
  end(): void;
}

/** Shortest time between two texts, milliseconds. */
const everyMs = 60;
/** The most text shown before the answer, UTF-16 units. */
const mostText = 256 * 1024;
/** How many events are remembered for watchers that reconnect. */
const mostMarks = 1_000;

/** Creates a log. The numbers of its events are larger than `first`. */
export function createPreviewLog(taskId: string, first = 0): PreviewLog {
  let seq = first;
  let text = "";
  let shown: Seen = { seq, offset: 0 };
  let marks: Seen[] = [];
  let progressSeq = 0;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  let news: PromiseWithResolvers<void> | undefined;

  function tell(): void {
    news?.resolve();
    news = undefined;
  }

  function showProgress(next: TaskProgress): void {
    if (log.progress !== undefined && next.revision <= log.progress.revision) return;
    log.progress = next;
    seq += 1;
    progressSeq = seq;
    tell();
  }

  function showText(): void {
    timer = undefined;
    // Holds back half a surrogate pair until the other half arrives.
    const last = text.charCodeAt(text.length - 1);
    const offset = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    if (offset === shown.offset) return;
    shown = { seq: (seq += 1), offset };
    marks.push(shown);
    if (marks.length > 2 * mostMarks) marks = marks.slice(-mostMarks);
    timer = setTimeout(showText, everyMs).unref();
    tell();
  }

  // Getters would give each log an object shape of its own.
  const log: { -readonly [Member in keyof PreviewLog]: PreviewLog[Member] } = {
    preview: {
      text: (delta) => {
        isFull ||= text.length + delta.length > mostText;
        if (isFull) return;
        text += delta;
        if (timer === undefined) showText();
      },
      progress: ({ revision = (log.progress?.revision ?? 0) + 1, ...said }) => showProgress({ revision, ...said }),
      showsProgress: (shows) => void (log.showsProgress = shows),
    },
    showsProgress: false,
    showProgress,
    progress: undefined,
    since: (seen) => {
      const { progress } = log;
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
      news ??= Promise.withResolvers();
      await unlessAborted(news.promise, signal).catch(() => undefined);
    },
    end: () => {
      clearTimeout(timer);
      showText();
    },
  };
  return log;
}
