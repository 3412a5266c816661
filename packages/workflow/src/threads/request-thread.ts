import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import { TimeLimitError } from "./within-time.ts";

export interface RequestThreadOptions {
  /** Starts a module that answers each message with one `{ answer }`. Other messages are not read: Node's watch mode sends its own. */
  readonly start: () => Worker;
  /** How long one answer may take, milliseconds. */
  readonly answerMs: number;
}

/**
 * A thread that answers one request at a time, without blocking this thread. A request rejects with a TimeLimitError when it times out or
 * the thread ends, for example out of memory. The next request starts a new thread.
 */
export function createRequestThread<Request, Answer>({
  start,
  answerMs,
}: RequestThreadOptions): (request: Request) => Promise<Answer> {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startOne(): Worker {
    const started = start();
    // An error also rejects the open request.
    started.on("error", () => undefined);
    started.on("exit", () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function send(request: Request): Promise<Answer> {
    worker ??= startOne();
    const running = worker;
    running.postMessage(request);
    // The thread keeps the process alive only while a request is open.
    running.ref();
    try {
      const messages = on(running, "message", { signal: AbortSignal.timeout(answerMs), close: ["exit"] });
      for await (const [message] of messages as AsyncIterable<[Partial<{ readonly answer: Answer }>]>)
        if (message.answer !== undefined) return message.answer;
      throw new Error("the thread ended");
    } catch {
      worker = undefined;
      void running.terminate();
      throw new TimeLimitError(`took longer than ${String(answerMs)} ms, or more memory than a thread has`);
    } finally {
      running.unref();
    }
  }

  return (request) => {
    const answer = last.then(() => send(request));
    last = answer.catch(() => undefined);
    return answer;
  };
}
