import type { Message, TaskHandle } from "../agent-definition.ts";
import { checkText, createAnswerOutput } from "./answer-output.ts";
import { isTaskEnded, setStatus, type TaskRecord } from "./task-record.ts";

/** How long a task may take between two questions, and how long a question stays open, milliseconds. */
export interface TaskTimes {
  readonly taskTimeoutMs: number;
  readonly questionTimeoutMs: number;
}

/** A task whose handler runs. Once it has ended, nothing changes it. */
export type RunningTask = ReturnType<typeof createRunningTask>;

/** Starts the clock of a new task. */
export function createRunningTask(record: TaskRecord, times: TaskTimes) {
  const controller = new AbortController();
  const { signal } = controller;
  const { flush, end: endText, ...output } = createAnswerOutput(record);
  let question: PromiseWithResolvers<Message> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (state: "COMPLETED" | "FAILED" | "CANCELED", text?: string, reason = ended()): void => {
    if (isTaskEnded(record)) return;
    clearTimeout(timer);
    flush(state === "COMPLETED");
    setStatus(record, `TASK_STATE_${state}`, text);
    controller.abort(reason);
    question?.reject(reason);
  };
  const startTimer = (ms: number, text: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => end("FAILED", text, new DOMException(text, "TimeoutError")), ms);
    timer.unref();
  };
  const startWork = (): void => startTimer(times.taskTimeoutMs, "The agent took too long.");
  const ask = (words: string): Promise<Message> => {
    signal.throwIfAborted();
    checkText(words, "ask");
    if (question) throw new Error("The task is already waiting for an answer.");
    flush();
    startTimer(times.questionTimeoutMs, "The question was not answered in time.");
    question = createPromise<Message>();
    setStatus(record, "TASK_STATE_INPUT_REQUIRED", words);
    return question.promise;
  };
  startWork();
  /** What the handler sees of it. */
  const task: TaskHandle = {
    id: record.id,
    contextId: record.contextId,
    signal,
    ...output,
    ask: async (words) => await ask(words),
  };
  return {
    record,
    task,
    /** Gives the next message to the handler, which waits for it. */
    answer: (message: Message): void => {
      const asked = question;
      question = undefined;
      startWork();
      setStatus(record, "TASK_STATE_WORKING");
      asked?.resolve(message);
    },
    /** Ends the task, with the end of its text. */
    complete: (text: string): void => {
      if (!isTaskEnded(record)) endText(text);
      end("COMPLETED");
    },
    fail: (text: string): void => end("FAILED", text),
    cancel: (): void => end("CANCELED", undefined, new DOMException("The task was canceled.", "AbortError")),
  };
}

const ended = (): Error => new DOMException("The task has ended.", "AbortError");

/** `Promise.withResolvers` of newer versions of Node. Its rejection may stay unhandled. */
function createPromise<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T | PromiseLike<T>) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
