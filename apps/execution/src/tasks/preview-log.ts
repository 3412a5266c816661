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

/** Shortest time between two texts, milliseconds. */
const everyMs = 60;
/** The most text shown before the answer, UTF-16 units. */
const mostText = 256 * 1024;
/** How many events are remembered for watchers that reconnect. */
const mostMarks = 1_000;

/**
 * The preview of one run of a task, for any number of watchers. Each reads at its own pace; everything it missed arrives as one event. The
 * numbers of its events are larger than `first`.
 */
export class PreviewLog {
  /** Whether the run shows all of its progress here. */
  showsProgress = false;
  progress: TaskProgress | undefined;
  readonly preview: TaskPreview = {
    text: (delta) => this.#text.add(delta),
    progress: ({ revision = (this.progress?.revision ?? 0) + 1, ...said }) => this.showProgress({ revision, ...said }),
    showsProgress: (shows) => void (this.showsProgress = shows),
  };
  readonly #taskId: string;
  readonly #first: number;
  readonly #text: ShownText;
  #seq: number;
  #progressSeq = 0;
  /** How much of the text was there when the progress came, UTF-16 units. */
  #progressOffset = 0;
  #news: PromiseWithResolvers<void> | undefined;

  constructor(taskId: string, first = 0) {
    this.#taskId = taskId;
    this.#first = first;
    this.#seq = first;
    this.#text = new ShownText(first, () => this.#countEvent());
  }

  /** Returns the events after what a watcher has seen, oldest first, and what it has seen after them. */
  since(seen: Seen): { readonly events: readonly TaskEvent[]; readonly seen: Seen } {
    const [task_id, seq, progress] = [this.#taskId, this.#progressSeq, this.progress];
    const events: TaskEvent[] = [];
    let { offset } = seen;
    const read = (until?: number): void => {
      const { event, offset: end } = this.#text.since(offset, until);
      if (event !== undefined) events.push({ type: "text", task_id, ...event });
      offset = end;
    };
    if (progress !== undefined && seq > seen.seq) {
      read(this.#progressOffset);
      events.push({ type: "progress", task_id, seq, progress });
    }
    read();
    return { events, seen: { seq: Math.max(seen.seq, this.#seq), offset } };
  }

  /**
   * Returns what was seen with the event `seq`. Returns the beginning when that event is forgotten, or was another
   * run's.
   */
  seenWith(seq: number): Seen {
    if (seq <= this.#first || seq > this.#seq) return { seq: this.#first, offset: 0 };
    return { seq, offset: this.#text.offsetAt(seq) };
  }

  /** Resolves when something newer exists, or when the signal aborts. */
  async waitForNewer(seen: Seen, signal: AbortSignal): Promise<void> {
    if (this.#seq > seen.seq) return;
    this.#news ??= Promise.withResolvers();
    await unlessAborted(this.#news.promise, signal).catch(() => undefined);
  }

  /** Adds progress that already has a revision, unless it is known. The text before it is shown before it. */
  showProgress(next: TaskProgress): void {
    if (this.progress !== undefined && next.revision <= this.progress.revision) return;
    this.progress = next;
    this.#progressOffset = this.#text.showAll();
    this.#progressSeq = this.#countEvent();
  }

  /** Ends the run: shows what was held back. */
  end(): void {
    this.#text.showAll();
  }

  /** Counts an event and wakes the watchers. Returns its number. */
  #countEvent(): number {
    this.#seq += 1;
    this.#news?.resolve();
    this.#news = undefined;
    return this.#seq;
  }
}

/** The text of a preview. It is shown in pieces, and only up to a length. */
class ShownText {
  readonly #countEvent: () => number;
  #text = "";
  #shown: Seen;
  #marks: Seen[] = [];
  #isFull = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(first: number, countEvent: () => number) {
    this.#shown = { seq: first, offset: 0 };
    this.#countEvent = countEvent;
  }

  add(delta: string): void {
    this.#isFull ||= this.#text.length + delta.length > mostText;
    if (this.#isFull) return;
    this.#text += delta;
    if (this.#timer === undefined) this.#show();
  }

  /** Returns the text shown after an offset, up to another one that was shown, as one event, and the offset after it. */
  since(offset: number, until?: number) {
    const last = until === undefined ? this.#shown : this.#marks.find((mark) => mark.offset === until);
    if (last === undefined || last.offset <= offset) return { event: undefined, offset };
    return { event: { seq: last.seq, offset, delta: this.#text.slice(offset, last.offset) }, offset: last.offset };
  }

  /** Returns how much text was shown with the event `seq`. */
  offsetAt(seq: number): number {
    return this.#marks.findLast((mark) => mark.seq <= seq)?.offset ?? 0;
  }

  /** Shows what was held back. Returns how much text is shown then, UTF-16 units. */
  showAll(): number {
    clearTimeout(this.#timer);
    this.#show();
    return this.#shown.offset;
  }

  #show(): void {
    this.#timer = undefined;
    // Holds back half a surrogate pair until the other half arrives.
    const { length } = this.#text;
    const last = this.#text.charCodeAt(length - 1);
    const offset = last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
    if (offset === this.#shown.offset) return;
    this.#shown = { seq: this.#countEvent(), offset };
    this.#marks.push(this.#shown);
    if (this.#marks.length > 2 * mostMarks) this.#marks = this.#marks.slice(-mostMarks);
    this.#timer = setTimeout(() => this.#show(), everyMs).unref();
  }
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
