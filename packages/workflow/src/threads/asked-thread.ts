import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import { TimeLimitError } from "./within-time.ts";

export interface AskedThreadOptions {
  /** Starts a module that answers each message with one `{ answer }`. Other messages are not read: Node's watch mode sends its own. */
  readonly start: () => Worker;
  /** How long one answer may take, milliseconds. */
  readonly answerMs: number;
}

/**
 * A thread that answers one question at a time, without blocking this thread. A question rejects with a TimeLimitError when it times out or
 * the thread ends, for example out of memory. The next question starts a new thread.
 */
export function createAskedThread<Question, Answer>({
  start,
  answerMs,
}: AskedThreadOptions): (question: Question) => Promise<Answer> {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startOne(): Worker {
    const started = start();
    // An error also rejects the open question.
    started.on("error", () => undefined);
    started.on("exit", () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function ask(question: Question): Promise<Answer> {
    worker ??= startOne();
    const asked = worker;
    asked.postMessage(question);
    // The thread keeps the process alive only while a question is open.
    asked.ref();
    try {
      const messages = on(asked, "message", { signal: AbortSignal.timeout(answerMs), close: ["exit"] });
      for await (const [message] of messages as AsyncIterable<[Partial<{ readonly answer: Answer }>]>)
        if (message.answer !== undefined) return message.answer;
      throw new Error("the thread ended");
    } catch {
      worker = undefined;
      void asked.terminate();
      throw new TimeLimitError(`took longer than ${String(answerMs)} ms, or more memory than a thread has`);
    } finally {
      asked.unref();
    }
  }

  return (question) => {
    const answer = last.then(() => ask(question));
    last = answer.catch(() => undefined);
    return answer;
  };
}
