import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import { ZoneError } from "@crosszone/contracts";
import { TimeLimitError } from "./within-time.ts";

export interface RequestThreadOptions {
  /** Starts a module that answers each message with one `{ answer }`. Other messages are not read: Node's watch mode sends its own. */
  readonly start: () => Worker;
  /** How long one answer may take, milliseconds. */
  readonly answerMs: number;
  /** The most requests that wait for the thread; more are rejected. */
  readonly mostWaiting?: number;
}

/** When a request can be repeated that was rejected because others wait, milliseconds. */
const retryAfterMs = 2_000;

/**
 * A thread that answers one request at a time, without blocking this thread. A request rejects with a TimeLimitError when it times out or
 * the thread ends, for example out of memory; the next request starts a new thread. A request beyond `mostWaiting` rejects with a ZoneError
 * `rate_limited`. A waiting request whose signal is aborted rejects with the signal's reason.
 */
export function createRequestThread<Request, Answer>({
  start,
  answerMs,
  mostWaiting = Infinity,
}: RequestThreadOptions): (request: Request, signal?: AbortSignal) => Promise<Answer> {
  let worker: Worker | undefined;
  let waiting = 0;
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

  return async (request, signal) => {
    if (waiting >= mostWaiting) throw new ZoneError("rate_limited", { retry_after_ms: retryAfterMs });
    waiting += 1;
    const answer = last.then(() => {
      waiting -= 1;
      signal?.throwIfAborted();
      return send(request);
    });
    last = answer.catch(() => undefined);
    return await answer;
  };
}
