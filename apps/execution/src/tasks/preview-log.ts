import { setTimeout as delay } from "node:timers/promises";
import type { TaskEvent, TaskProgress } from "@crosszone/contracts";
import { unlessAborted } from "@crosszone/service-kit/timing";
import type { AgentProgress, TaskPreview } from "../agents/agent.ts";

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
  let progressSeq = 0;
  let news: PromiseWithResolvers<void> | undefined;

  /** Counts an event and wakes the watchers. Returns its number. */
  function countEvent(): number {
    seq += 1;
    news?.resolve();
    news = undefined;
    return seq;
  }

  const text = createShownText(first, countEvent);

  function showProgress(next: TaskProgress): void {
    if (log.progress !== undefined && next.revision <= log.progress.revision) return;
    log.progress = next;
    progressSeq = countEvent();
  }

  // Getters would give each log an object shape of its own.
  const log: { -readonly [Member in keyof PreviewLog]: PreviewLog[Member] } = {
    preview: {
      text: text.add,
      progress: ({ revision = (log.progress?.revision ?? 0) + 1, ...said }) => showProgress({ revision, ...said }),
      showsProgress: (shows) => void (log.showsProgress = shows),
    },
    showsProgress: false,
    showProgress,
    progress: undefined,
    since: (seen) => {
      const { progress } = log;
      const { event, offset } = text.since(seen.offset);
      const events: TaskEvent[] = event === undefined ? [] : [{ type: "text", task_id: taskId, ...event }];
      if (progress !== undefined && progressSeq > seen.seq)
        events.push({ type: "progress", task_id: taskId, seq: progressSeq, progress });
      events.sort((a, b) => a.seq - b.seq);
      return { events, seen: { seq: Math.max(seen.seq, seq), offset } };
    },
    seenWith: (at) => (at <= first || at > seq ? { seq: first, offset: 0 } : { seq: at, offset: text.offsetAt(at) }),
    waitForNewer: async (seen, signal) => {
      if (seq > seen.seq) return;
      news ??= Promise.withResolvers();
      await unlessAborted(news.promise, signal).catch(() => undefined);
    },
    end: text.end,
  };
  return log;
}

/** The text of a preview. It is shown in pieces, and only up to a length. */
interface ShownText {
  readonly add: (delta: string) => void;
  /** Returns the text shown after an offset as one event, and the offset after it. */
  readonly since: (offset: number) => {
    readonly event: { readonly seq: number; readonly offset: number; readonly delta: string } | undefined;
    readonly offset: number;
  };
  /** Returns how much text was shown with the event `seq`. */
  readonly offsetAt: (seq: number) => number;
  /** Shows what was held back. */
  readonly end: () => void;
}

function createShownText(first: number, countEvent: () => number): ShownText {
  let text = "";
  let shown: Seen = { seq: first, offset: 0 };
  let marks: Seen[] = [];
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;

  function show(): void {
    timer = undefined;
    // Holds back half a surrogate pair until the other half arrives.
    const last = text.charCodeAt(text.length - 1);
    const offset = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    if (offset === shown.offset) return;
    shown = { seq: countEvent(), offset };
    marks.push(shown);
    if (marks.length > 2 * mostMarks) marks = marks.slice(-mostMarks);
    timer = setTimeout(show, everyMs).unref();
  }

  return {
    add: (delta) => {
      isFull ||= text.length + delta.length > mostText;
      if (isFull) return;
      text += delta;
      if (timer === undefined) show();
    },
    since: (offset) => {
      const isNewer = shown.offset > offset;
      const event = isNewer ? { seq: shown.seq, offset, delta: text.slice(offset, shown.offset) } : undefined;
      return { event, offset: shown.offset };
    },
    offsetAt: (seq) => marks.findLast((mark) => mark.seq <= seq)?.offset ?? 0,
    end: () => {
      clearTimeout(timer);
      show();
    },
  };
}

/** Pause before progress that was announced as newer, but isn't, is read again; milliseconds. */
const againMs = 250;

/** Shows the progress of a task's work, which other processes may do, until the signal aborts. */
export async function copyProgress(
  progress: AgentProgress,
  { taskId, to, signal }: { readonly taskId: string; readonly to: PreviewLog; readonly signal: AbortSignal },
): Promise<void> {
  let seen = 0;
  while (!signal.aborted) {
    if (!to.showsProgress) await progress.waitForNewer(taskId, seen, signal);
    const latest = to.showsProgress ? undefined : await progress.read(taskId);
    if (latest !== undefined) to.showProgress(latest);
    if (latest !== undefined && latest.revision > seen) seen = latest.revision;
    else await delay(againMs, undefined, { signal }).catch(() => undefined);
  }
}
