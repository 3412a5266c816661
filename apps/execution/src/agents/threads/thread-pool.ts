import type { Worker } from "node:worker_threads";
import { ZoneError } from "@crosszone/contracts";
import type { AgentAnswer, AgentContext, AgentTaskInput } from "../agent.ts";
import { type FromThread, receiveError, sendError, sendFile, type ToThread } from "./thread-messages.ts";

export interface ThreadPoolOptions {
  readonly startWorker: () => Worker;
  /** The most threads. */
  readonly most: number;
  /** How long a stopped run may take to end, milliseconds. After that its thread is terminated. */
  readonly stopMs: number;
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
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  return new Pool(options);
}

const post = ({ worker }: Thread, message: ToThread): void => worker.postMessage(message);

const live = ({ runs }: Thread): Run[] => [...runs.values()].filter(({ context }) => !context.signal.aborted);

function ask(thread: Thread): void {
  if (thread.asked) return;
  thread.asked = true;
  post(thread, { type: "free" });
}

function give(thread: Thread, run: Run): void {
  const { number, input, context } = run;
  thread.runs.set(number, run);
  const aheadMs = context.now().getTime() - Date.now();
  post(thread, { type: "run", run: number, input, aheadMs });
}

class Pool implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #stuck: Error;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Run[] = [];
  #runs = 0;
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#stuck = new Error(`a run did not stop within ${options.stopMs} ms`);
    if (options.most > 0) this.#start();
  }

  async run(input: AgentTaskInput, context: AgentContext): Promise<AgentAnswer> {
    const { signal } = context;
    signal.throwIfAborted();
    if (this.#closed) throw new ZoneError("shutting_down");
    const { promise, resolve, reject } = Promise.withResolvers<AgentAnswer>();
    const run: Run = { number: (this.#runs += 1), input, context, resolve, reject };
    const onAbort = (): void => this.#abort(run);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(run);
    this.#share();
    return promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const run of this.#waiting.splice(0)) run.reject(new ZoneError("shutting_down"));
    const workers = [...this.#threads].map(({ worker }) => worker);
    for (const thread of this.#threads) this.#end(thread, new Error("the pool is closed"));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(): Thread {
    const thread: Thread = { worker: this.#options.startWorker(), runs: new Map(), asked: false, retiring: false };
    thread.worker.on("message", (message: FromThread) => {
      try {
        this.#receive(thread, message);
      } catch (cause) {
        // Code of the agent may post any message to the zone.
        this.#end(thread, new Error("the thread sent an invalid message", { cause }));
      }
    });
    thread.worker.on("error", (error: Error) => this.#end(thread, error));
    thread.worker.on("exit", (code) => this.#end(thread, new Error(`the thread exited with ${code}`)));
    this.#threads.add(thread);
    return thread;
  }

  #share(): void {
    const working = [...this.#threads].filter(({ retiring }) => !retiring);
    const idle = working.filter((thread) => thread.runs.size === 0);
    while (this.#waiting.length > 0 && (idle.length > 0 || working.length < this.#options.most)) {
      const thread = idle.pop() ?? this.#start();
      if (!working.includes(thread)) working.push(thread);
      give(thread, this.#waiting.shift() as Run);
    }
    if (this.#waiting.length > 0) working.forEach(ask);
  }

  #receive(thread: Thread, message: FromThread): void {
    if (message.type === "free") {
      thread.asked = false;
      const next = thread.retiring ? undefined : this.#waiting.shift();
      if (next) give(thread, next);
      return this.#share();
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
    if (thread.retiring && live(thread).length === 0) this.#end(thread, this.#stuck);
    else this.#share();
  }

  #end(thread: Thread, cause: Error): void {
    if (!this.#threads.delete(thread)) return;
    void thread.worker.terminate();
    const { failure, onEnded } = this.#options;
    for (const run of thread.runs.values()) run.reject(this.#closed ? new ZoneError("shutting_down") : failure(cause));
    if (this.#closed) return;
    onEnded(cause);
    this.#share();
  }

  /** Terminates a thread when only runs that don't stop are left, or at once when it never stops computing. */
  #retire(thread: Thread): void {
    if (live(thread).length === 0) return this.#end(thread, this.#stuck);
    if (thread.retiring) return;
    thread.retiring = true;
    ask(thread);
    setTimeout(() => thread.asked && this.#end(thread, this.#stuck), this.#options.stopMs).unref();
    this.#share();
  }

  #abort(run: Run): void {
    const { number, context } = run;
    run.reject(context.signal.reason);
    const place = this.#waiting.indexOf(run);
    if (place >= 0) this.#waiting.splice(place, 1);
    const thread = [...this.#threads].find(({ runs }) => runs.has(number));
    if (thread === undefined) return;
    post(thread, { type: "abort", run: number, reason: sendError(context.signal.reason) });
    const isStuck = (): boolean => this.#threads.has(thread) && thread.runs.has(number);
    setTimeout(() => isStuck() && this.#retire(thread), this.#options.stopMs).unref();
  }
}
