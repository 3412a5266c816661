import type { TaskProgress } from "@crosszone/contracts";
import type { Clock } from "@crosszone/service-kit/timing";
import type { Inbox } from "../inbox/inbox.ts";
import type { LeasedRecord } from "../inbox/records.ts";
import type { TaskMark } from "../slack/slack-api.ts";
import { namesIn } from "../slack/notation.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { composeWorking, GrowingText, type ShownSoFar, workingOnIt } from "./markdown/compose-answer.ts";
import { unnamedIn } from "./markdown/neutralise.ts";
import { concernOf } from "./send-once.ts";
import { createStepDisplay, type EditPace, type StepDisplay } from "./step-display.ts";
import type { LiveStream, StreamStarts } from "./streams/streams.ts";
import { createStreamDisplay, type StreamDisplay } from "./streams/stream-display.ts";
import type { StreamEnd } from "./streams/stream-ledger.ts";
import type { QuestionAttempt } from "./attempt.ts";
import type { Placeholder } from "./deliver-answer.ts";
import type { ShownWork } from "./task-outcome.ts";

/** Returns the message that asks, or the placeholder that an earlier attempt recorded. Without a record, it may or may not be posted. */
export function noted({ record, progress }: LeasedRecord<"ask">): Placeholder {
  const ts = progress.placeholder ?? record.headline?.ts;
  return ts === undefined ? { doubtful: true } : { ts };
}

/** How long posting the progress message is retried, milliseconds. After that the answer becomes a message of its own. */
const placeholderBudgetMs = 10_000;

/**
 * Posts the progress message, as a stream if one can be started at once, and shows the work there. Reuses the message of an earlier
 * attempt.
 */
export async function showWorking(
  { inbox, streams }: { readonly inbox: Inbox; readonly streams?: StreamStarts },
  attempt: QuestionAttempt,
  display: WorkDisplay,
): Promise<Placeholder> {
  const { leased, task, messages, emit } = attempt;
  const { record } = leased;
  const known = noted(leased).ts;
  if (known !== undefined) return display.edit(known);
  // An earlier attempt may have started a stream or posted a message: search the thread for both.
  let doubtful = leased.attempt > 1;
  const started = doubtful ? undefined : await streams?.start(record, task.leave);
  if (started?.stream !== undefined) {
    await inbox.note(leased, { placeholder: started.stream.ts });
    return display.stream(started.stream);
  }
  if (started?.error !== undefined) {
    if (concernOf(started.error) === "thread") return withdrawn(attempt, started.error);
    emit("stream_not_started", { operation: "chat.startStream", failure: started.error });
  }
  doubtful ||= started?.doubtful === true;
  try {
    const message = { text: workingOnIt, mark: workingMark(attempt) };
    const { ts } = await messages.post({ message, budgetMs: placeholderBudgetMs, doubtful });
    await inbox.note(leased, { placeholder: ts });
    return display.edit(ts);
  } catch (error) {
    return missing(attempt, error, doubtful);
  }
}

/** Ends the task of a question whose message is gone. */
function withdrawn({ task, emit }: QuestionAttempt, failure: SlackCallError): Placeholder {
  emit("thread_gone", { operation: failure.method, failure });
  task.end("withdrawn");
  return { doubtful: false };
}

/** Reports that a message that shows work could not be posted. Throws other errors. */
function missing(attempt: QuestionAttempt, failure: unknown, doubtful: boolean): Placeholder {
  if (!(failure instanceof SlackCallError)) throw failure;
  if (concernOf(failure) === "thread") return withdrawn(attempt, failure);
  attempt.emit("placeholder_missing", { operation: "chat.postMessage", failure });
  return { doubtful: doubtful || failure.failure === "unavailable" };
}

/**
 * What a question shows: the steps and the text that have arrived, once there is a message to show them. They go to its stream while that
 * works, then to the message by edits. A text that is longer than one message goes on in messages below, by edits.
 */
export class WorkDisplay implements ShownWork {
  progress: TaskProgress | undefined;
  /** Set before any text. */
  people: ReadonlySet<string> = new Set();
  readonly names = new Map<string, string>();
  readonly #growing = new GrowingText();
  readonly #attempt: QuestionAttempt;
  readonly #pace: EditPace;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #streamed: StreamDisplay | undefined;
  readonly #edited: StepDisplay[] = [];
  readonly #continued: Promise<Placeholder>[] = [];
  #isNaming = false;
  #isShown = false;
  #isOver = false;

  constructor(attempt: QuestionAttempt, pace: EditPace) {
    this.#attempt = attempt;
    this.#pace = pace;
    this.#clock = attempt.workspace.clock;
    this.#startedAt = this.#clock.now();
  }

  get durationMs(): number {
    return this.#clock.now() - this.#startedAt;
  }

  get text(): string {
    return this.#growing.text;
  }

  get slices(): readonly string[] {
    return this.#growing.slices;
  }

  show(progress: TaskProgress): void {
    this.progress = progress;
    this.#changed();
  }

  /** Replaces the text with the one that has arrived by now. */
  write(text: string): void {
    this.#growing.write(text);
    this.#changed();
    if (this.#isNaming || unnamedIn(text, this).length === 0) return;
    this.#isNaming = true;
    void this.nameAll().finally(() => (this.#isNaming = false));
  }

  /** Looks up the names in the text that has arrived, and in `more`. Never rejects. */
  async nameAll(more = ""): Promise<void> {
    const text = `${this.text}\n${more}`;
    const found = await namesIn([text], this.#attempt.workspace.directory);
    for (const { id, name } of unnamedIn(text, this)) this.names.set(id, found.get(id) ?? name);
    this.#changed();
  }

  #changed(): void {
    this.#streamed?.changed();
    for (const one of this.#edited) one.changed();
    const messages = this.#growing.messages.length;
    if (!this.#isShown || this.#isOver) return;
    while (this.#continued.length + 1 < messages) this.#continued.push(this.#continue(this.#continued.length + 2));
  }

  /** Shows the work in a stream, from now on. */
  stream(stream: LiveStream): Placeholder {
    const { task, emit } = this.#attempt;
    this.#streamed = createStreamDisplay({
      clock: this.#clock,
      stream,
      work: () => this.#shownIn(1),
      mark: workingMark(this.#attempt),
      until: task.signal,
      onStopped: () => task.end("stopped"),
      onTrouble: (failure, next) => emit("stream_ended", { operation: "chat.appendStream", next, failure }),
      onLeft: () => this.edit(stream.ts),
    });
    return this.#begin(stream.ts);
  }

  /** Shows the work, or one part of it, by edits of a message, from now on. */
  edit(ts: string, part = 1): Placeholder {
    if (this.#isOver) return { ts };
    const { task, messages, leased } = this.#attempt;
    const mark = { ...workingMark(this.#attempt), part: part > 1 ? part : undefined };
    const showing = { clock: this.#clock, pace: this.#pace };
    const footer = part > 1 ? undefined : leased.record.headline?.text;
    const edit = (markdown_text: string): Promise<void> => messages.edit(ts, { markdown_text, footer, mark });
    this.#edited.push(createStepDisplay({ ...showing, work: () => this.#shownIn(part), edit, until: task.signal }));
    return this.#begin(ts);
  }

  /** Posts the message where the text goes on, and shows the text there by edits. */
  async #continue(part: number): Promise<Placeholder> {
    const { leased, messages } = this.#attempt;
    const before = await this.#continued[part - 3];
    // Below a message that is missing, the text would be out of order.
    if (this.#isOver || (part > 2 && before?.ts === undefined)) return { doubtful: false };
    const message = {
      markdown_text: composeWorking(this.#shownIn(part)),
      mark: { ...workingMark(this.#attempt), part },
    };
    try {
      const { ts } = await messages.post({ message, budgetMs: placeholderBudgetMs, doubtful: leased.attempt > 1 });
      return this.edit(ts, part);
    } catch (error) {
      return missing(this.#attempt, error, leased.attempt > 1);
    }
  }

  /** Returns what one message shows. Steps are in the first one. */
  #shownIn(part: number): ShownSoFar {
    const { people, names, progress } = this;
    const message = this.#growing.messages[part - 1] ?? { text: "" };
    return { ...message, people, names, progress: part === 1 ? progress : undefined };
  }

  #begin(ts: string): Placeholder {
    this.#isShown = true;
    if (this.progress !== undefined || this.text !== "") this.#changed();
    return { ts };
  }

  /** Changes nothing from then on; resolves when no change is in progress. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#streamed?.end();
    await Promise.allSettled(this.#continued);
    for (const one of this.#edited) await one.end();
  }

  /** Resolves with the messages where the text went on. Rejects if one was left to another process. */
  continued(): Promise<readonly Placeholder[]> {
    return Promise.all(this.#continued);
  }

  /** Ends the stream with the answer. Resolves with true if its message is then the whole answer. Never rejects. */
  async finish(end: StreamEnd, mark: TaskMark): Promise<boolean> {
    return (await this.#streamed?.finish(end, mark)) === true;
  }
}

function workingMark({ leased }: QuestionAttempt): TaskMark {
  const { request_id, correlation_id, headline } = leased.record;
  return { ...headline?.mark, request_id, correlation_id, state: "working" };
}
