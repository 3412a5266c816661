import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import { TimeLimitError } from "../within-time.ts";

export interface AskedThreadOptions {
  /** Starts a module that answers each message with one `{ answer }`. Other messages are not read: Node's watch mode sends its own. */
  readonly start: () => Worker;
  /** How long one answer may take, milliseconds. */
  readonly answerMs: number;
}

/**
 * A thread that answers one question after the other, while this one does something else. A question rejects with a TimeLimitError when its
 * time is over or the thread ends, for want of memory for one; the next question starts another thread.
 */
export function createAskedThread<Question, Answer>({
  start,
  answerMs,
}: AskedThreadOptions): (question: Question) => Promise<Answer> {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startOne(): Worker {
    const started = start();
    // Who waits for an answer hears of an error too.
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
    // The process is kept while somebody waits, and no longer.
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
