import type { TaskProgress } from "@crosszone/contracts";
import type { LeasedRecord } from "../../inbox/records.ts";
import type { TaskMark } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { workingOnIt } from "../markdown/compose-answer.ts";
import { createStepDisplay, type StepDisplay } from "../posting/step-display.ts";
import type { LiveStream } from "../streams/start-streams.ts";
import { createStreamDisplay, type StreamDisplay } from "../streams/stream-display.ts";
import type { StreamEnd } from "../streams/stream-ledger.ts";
import type { Answering, QuestionAttempt } from "./attempt.ts";
import type { Placeholder } from "./deliver-answer.ts";
import type { ShownWork } from "./task-outcome.ts";

/** Returns the placeholder that an earlier attempt recorded. Without a record, it may or may not be posted. */
export function noted({ progress: { placeholder } }: LeasedRecord<"ask">): Placeholder {
  return placeholder === undefined ? { doubtful: true } : { ts: placeholder };
}

/** How long posting the progress message is retried, milliseconds. After that the answer becomes a message of its own. */
const placeholderBudgetMs = 10_000;

/**
 * Posts the progress message, as a stream if one can be started at once, and shows the work there. Reuses the message of an earlier
 * attempt.
 */
export async function showWorking(
  { inbox, streams }: Answering,
  attempt: QuestionAttempt,
  display: WorkDisplay,
): Promise<Placeholder> {
  const { leased, task, messages, emit } = attempt;
  const { record, progress } = leased;
  if (progress.placeholder !== undefined) return display.edit(progress.placeholder);
  // An earlier attempt may have started a stream or posted a message: search the thread for both.
  let doubtful = leased.attempt > 1;
  const started = doubtful ? undefined : await streams?.start(record, task.leave);
  if (started?.stream !== undefined) {
    await inbox.note(leased, { placeholder: started.stream.ts });
    return display.stream(started.stream);
  }
  if (started?.error !== undefined)
    emit("stream_not_started", { operation: "chat.startStream", failure: started.error });
  doubtful ||= started?.doubtful === true;
  try {
    const message = { text: workingOnIt, mark: workingMark(attempt) };
    const { ts } = await messages.post({ message, budgetMs: placeholderBudgetMs, doubtful });
    await inbox.note(leased, { placeholder: ts });
    return display.edit(ts);
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    emit("placeholder_missing", { operation: "chat.postMessage", failure: error });
    return { doubtful: doubtful || error.failure === "unavailable" };
  }
}

/**
 * What a question shows: the steps and the text that have arrived, once there is a message to show them. They go to its stream while that
 * works, then to the message by edits.
 */
export class WorkDisplay implements ShownWork {
  text = "";
  progress: TaskProgress | undefined;
  /** Set before any text. */
  people: ReadonlySet<string> = new Set();
  readonly #answering: Answering;
  readonly #attempt: QuestionAttempt;
  readonly #startedAt: number;
  #streamed: StreamDisplay | undefined;
  #edited: StepDisplay | undefined;
  #isOver = false;

  constructor(answering: Answering, attempt: QuestionAttempt) {
    this.#answering = answering;
    this.#attempt = attempt;
    this.#startedAt = answering.clock.now();
  }

  get durationMs(): number {
    return this.#answering.clock.now() - this.#startedAt;
  }

  show(progress: TaskProgress): void {
    this.progress = progress;
    this.#changed();
  }

  /** Replaces the text with the one that has arrived by now. */
  write(text: string): void {
    this.text = text;
    this.#changed();
  }

  #changed(): void {
    this.#streamed?.changed();
    this.#edited?.changed();
  }

  /** Shows the work in a stream, from now on. */
  stream(stream: LiveStream): Placeholder {
    const { task, emit } = this.#attempt;
    this.#streamed = createStreamDisplay({
      clock: this.#answering.clock,
      stream,
      work: this,
      mark: workingMark(this.#attempt),
      until: task.signal,
      onStopped: () => task.end("stopped"),
      onTrouble: (failure, next) => emit("stream_ended", { operation: "chat.appendStream", next, failure }),
      onLeft: () => this.edit(stream.ts),
    });
    return this.#begin(stream.ts);
  }

  /** Shows the work by edits of a message, from now on. */
  edit(ts: string): Placeholder {
    const { task, messages } = this.#attempt;
    const { clock, pace } = this.#answering;
    const mark = workingMark(this.#attempt);
    if (this.#isOver) return { ts };
    this.#edited = createStepDisplay({
      clock,
      pace,
      work: this,
      edit: (markdown_text) => messages.edit(ts, { markdown_text, mark }),
      until: task.signal,
    });
    return this.#begin(ts);
  }

  #begin(ts: string): Placeholder {
    if (this.progress !== undefined || this.text !== "") this.#changed();
    return { ts };
  }

  /** Changes nothing from then on; resolves when no change is in progress. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#streamed?.end();
    await this.#edited?.end();
  }

  /** Ends the stream with the answer. Resolves with true if its message is then the whole answer. Never rejects. */
  async finish(end: StreamEnd, mark: TaskMark): Promise<boolean> {
    return (await this.#streamed?.finish(end, mark)) === true;
  }
}

function workingMark({ leased }: QuestionAttempt): TaskMark {
  const { request_id, correlation_id } = leased.record;
  return { request_id, correlation_id, state: "working" };
}
