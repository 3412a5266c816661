import type { Worker } from "node:worker_threads";
import { ZoneError } from "@crosszone/contracts";
import type { AgentAnswer, AgentContext, AgentTaskInput } from "../agent.ts";
import { type FromThread, receiveError, sendError, sendFile, type ToThread } from "./thread-messages.ts";

export interface ThreadPoolOptions {
  readonly startWorker: () => Worker;
  /** The most threads. */
  readonly most: number;
  /** How long a stopped run may take to end, milliseconds. After that its thread is terminated. */
  readonly patienceMs: number;
  /** Receives the reason when a thread ends before the pool is closed. */
  readonly onEnded: (cause: Error) => void;
  /** Creates the error of runs whose thread ended. */
  readonly failure: (cause: Error) => Error;
}

export interface ThreadPool {
  /**
   * Rejects with the signal's reason as soon as it aborts, with `failure` when the thread ends, otherwise as the agent
   * does.
   */
  run(input: AgentTaskInput, context: AgentContext): Promise<AgentAnswer>;
  /** Terminates every thread with its runs. */
  close(): Promise<void>;
}

interface Run {
  readonly number: number;
  readonly input: AgentTaskInput;
  readonly context: AgentContext;
  readonly resolve: (answer: AgentAnswer) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly runs: Map<number, Run>;
  /** `free` was requested and has not arrived. */
  asked: boolean;
  /** Has a run that does not stop: gets no more runs, and is terminated when the others have ended. */
  retiring: boolean;
}

/**
 * Creates a pool that shares runs among threads. A run goes to an idle thread, else to a new one, else to the first
 * that reports that it isn't computing. So runs that only wait share a thread, and no run waits behind a computation. A
 * run that doesn't stop in time terminates its thread.
 */
export function createThreadPool({ startWorker, most, patienceMs, onEnded, failure }: ThreadPoolOptions): ThreadPool {
  const stuck = new Error(`a run did not stop within ${patienceMs} ms`);
  const threads = new Set<Thread>();
  const waiting: Run[] = [];
  let runs = 0;
  let closed = false;

  function start(): Thread {
    const thread: Thread = { worker: startWorker(), runs: new Map(), asked: false, retiring: false };
    thread.worker.on("message", (message: FromThread) => {
      try {
        hear(thread, message);
      } catch (cause) {
        // Code of the agent may post any message to the zone.
        end(thread, new Error("the thread sent an invalid message", { cause }));
      }
    });
    thread.worker.on("error", (error: Error) => end(thread, error));
    thread.worker.on("exit", (code) => end(thread, new Error(`the thread exited with ${code}`)));
    threads.add(thread);
    return thread;
  }

  const tell = ({ worker }: Thread, message: ToThread): void => worker.postMessage(message);

  function give(thread: Thread, run: Run): void {
    const { number, input, context } = run;
    thread.runs.set(number, run);
    const aheadMs = context.now().getTime() - Date.now();
    tell(thread, { type: "run", run: number, input, aheadMs });
  }

  function ask(thread: Thread): void {
    if (thread.asked) return;
    thread.asked = true;
    tell(thread, { type: "free" });
  }

  function share(): void {
    const working = [...threads].filter(({ retiring }) => !retiring);
    const idle = working.filter((thread) => thread.runs.size === 0);
    while (waiting.length > 0 && (idle.length > 0 || working.length < most)) {
      const thread = idle.pop() ?? start();
      if (!working.includes(thread)) working.push(thread);
      give(thread, waiting.shift() as Run);
    }
    if (waiting.length > 0) working.forEach(ask);
  }

  function hear(thread: Thread, message: FromThread): void {
    if (message.type === "free") {
      thread.asked = false;
      const next = thread.retiring ? undefined : waiting.shift();
      if (next) give(thread, next);
      return share();
    }
    const run = thread.runs.get(message.run);
    if (run === undefined) return;
    if (message.type === "read") {
      const { read, id } = message;
      return void sendFile(thread.worker, { run: run.number, read, file: () => run.context.readFile(id) });
    }
    if (message.type === "answer") run.resolve(message.answer);
    else run.reject(receiveError(message.error));
    thread.runs.delete(run.number);
    if (thread.retiring && live(thread).length === 0) end(thread, stuck);
    else share();
  }

  function end(thread: Thread, cause: Error): void {
    if (!threads.delete(thread)) return;
    void thread.worker.terminate();
    for (const run of thread.runs.values()) run.reject(closed ? new ZoneError("shutting_down") : failure(cause));
    if (closed) return;
    onEnded(cause);
    share();
  }

  const live = ({ runs: all }: Thread): Run[] => [...all.values()].filter(({ context }) => !context.signal.aborted);

  /** Terminates a thread when only runs that don't stop are left, or at once when it never stops computing. */
  function retire(thread: Thread): void {
    if (live(thread).length === 0) return end(thread, stuck);
    if (thread.retiring) return;
    thread.retiring = true;
    ask(thread);
    setTimeout(() => thread.asked && end(thread, stuck), patienceMs).unref();
    share();
  }

  function abort(run: Run): void {
    run.reject(run.context.signal.reason);
    const place = waiting.indexOf(run);
    if (place >= 0) waiting.splice(place, 1);
    const thread = [...threads].find((each) => each.runs.has(run.number));
    if (thread === undefined) return;
    tell(thread, { type: "abort", run: run.number, reason: sendError(run.context.signal.reason) });
    setTimeout(() => threads.has(thread) && thread.runs.has(run.number) && retire(thread), patienceMs).unref();
  }

  if (most > 0) start();
  return {
    run: async (input, context) => {
      const { signal } = context;
      signal.throwIfAborted();
      if (closed) throw new ZoneError("shutting_down");
      const { promise, resolve, reject } = Promise.withResolvers<AgentAnswer>();
      const run: Run = { number: (runs += 1), input, context, resolve, reject };
      const onAbort = (): void => abort(run);
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.push(run);
      share();
      return promise.finally(() => signal.removeEventListener("abort", onAbort));
    },

    close: async () => {
      closed = true;
      for (const run of waiting.splice(0)) run.reject(new ZoneError("shutting_down"));
      const workers = [...threads].map(({ worker }) => worker);
      for (const thread of threads) end(thread, new Error("the pool is closed"));
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
