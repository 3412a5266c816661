import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker, workerData } from "node:worker_threads";
import { TimeLimitError } from "./within-time.ts";

/** Start settings of a blocking thread. */
interface BlockingSettings {
  readonly port: MessagePort;
  readonly sent: Int32Array;
}

/** Answers the requests of the waiting thread. A message for which `answer` returns undefined gets no answer. */
export function serveBlocking<Request, Answer>(answer: (request: Request) => Answer | undefined): void {
  const { port, sent } = workerData as BlockingSettings;
  const send = (message: Answer | "started"): void => {
    port.postMessage(message);
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  };
  port.on("message", (request: Request) => {
    const answered = answer(request);
    if (answered !== undefined) send(answered);
  });
  send("started");
}

export interface BlockingThreadOptions {
  /** Starts a module that calls `serveBlocking`, with these settings as its `workerData` and `transferList`. */
  readonly start: (settings: BlockingSettings) => Worker;
  /** Called when the thread has ended. The next request starts a new one. */
  readonly onEnded: () => void;
}

/** A thread that blocks its caller until it answers, for synchronous code. */
export interface BlockingThread<Request, Answer> {
  /** Returns the answer. After `timeoutMs` without one, for example out of memory, ends the thread and throws a TimeLimitError. */
  readonly send: (request: Request, timeoutMs: number) => Answer;
  /** Sends a message that has no answer, if the thread runs. */
  readonly notify: (message: Request) => void;
}

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Number of messages that the thread has sent. Each message wakes this thread. */
  readonly sent: Int32Array;
  received: number;
}

/** How long a thread can take to start, milliseconds. It is long because the machine may be busy. */
const startMs = 10_000;

export function createBlockingThread<Request, Answer>(options: BlockingThreadOptions): BlockingThread<Request, Answer> {
  let running: Running | undefined;

  function end(thread: Running): void {
    if (running !== thread) return;
    running = undefined;
    thread.port.close();
    void thread.worker.terminate();
    options.onEnded();
  }

  function receive(thread: Running, timeoutMs: number): unknown {
    const outcome = Atomics.wait(thread.sent, 0, thread.received, timeoutMs);
    const message = outcome === "timed-out" ? undefined : receiveMessageOnPort(thread.port);
    if (message === undefined) {
      end(thread);
      throw new TimeLimitError(`took longer than ${String(timeoutMs)} ms, or more memory than a thread has`);
    }
    thread.received += 1;
    return message.message;
  }

  function start(): Running {
    const { port1: port, port2 } = new MessageChannel();
    const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = options.start({ port: port2, sent });
    const thread: Running = { worker, port, sent, received: 0 };
    // An exit follows each error.
    worker.on("error", () => undefined);
    worker.on("exit", () => end(thread));
    worker.unref();
    running = thread;
    receive(thread, startMs);
    return thread;
  }

  return {
    send: (request, timeoutMs) => {
      const thread = running ?? start();
      thread.port.postMessage(request);
      return receive(thread, timeoutMs) as Answer;
    },
    notify: (message) => running?.port.postMessage(message),
  };
}
