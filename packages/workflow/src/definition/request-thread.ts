import { hash } from "node:crypto";
import { on } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type ParamProblem, ZoneError } from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { ComputationTimeoutError } from "../within-time.ts";
import type { ToDefinitionThread } from "./definition-thread.ts";
import type { ReadWorkflow, ReadWorkflowOptions } from "./read-workflow.ts";

export interface RequestBy {
  /** The caller whose turn it uses: callers take turns. Absent: the zone itself. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Enough for a definition of 1 MB with a schema of 64 KB. A thread that needs more ends; the process continues. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** The program of the thread, `.ts` in the sources and `.js` in the build. */
const ending = extname(import.meta.url);
const program = new URL(`./definition-thread${ending}`, import.meta.url);
// Sources resolve the other packages by this condition. The process itself may have been started without it.
const workerOptions = { resourceLimits, ...(ending === ".ts" && { execArgv: ["--conditions=@crosszone/source"] }) };

/** How much CPU time one answer may take, and how long it may take on a busy machine, milliseconds. */
const [answerCpuMs, answerMs] = [15_000, 120_000];

/** When a request can be repeated that was rejected because others wait, milliseconds. */
const retryAfterMs = 2_000;

/** Calls back once the thread has used the CPU time of an answer. Returns the timer, which looks each second. */
function watchCpu(thread: Worker, onOver: () => void): NodeJS.Timeout {
  // A thread that has ended has none.
  const usage = (since?: NodeJS.CpuUsage) => thread.cpuUsage(since).catch(() => undefined);
  const before = usage();
  const look = async (): Promise<void> => {
    const used = await usage(await before);
    if (used && (used.user + used.system) / 1_000 > answerCpuMs) onOver();
  };
  return setInterval(() => void look(), 1_000);
}

/**
 * A thread for definitions, which answers one request at a time, without blocking this thread. Callers take turns, so that the slow requests of one delay a
 * request of another by two at most. A request rejects with a TimeLimitError when it times out or
 * the thread ends, for example out of memory; the next request starts a new thread. A request beyond `mostWaiting` rejects with a ZoneError
 * `rate_limited`, and so does one of a named caller that has a fifth of them. A waiting request rejects with its signal's reason as soon as
 * that is aborted, and waits no longer.
 */
function createRequestThread(
  mostWaiting: number,
): (request: ToDefinitionThread, by?: RequestBy) => Promise<ReadWorkflow> {
  let worker: Worker | undefined;
  let isAnswering = false;
  /** The waiting requests of each caller. The first caller is next. */
  const queues = new Map<string, Set<() => Promise<void>>>();

  function startOne(): Worker {
    const started = new Worker(program, workerOptions);
    // An error also rejects the open request.
    started.on("error", () => undefined);
    started.on("exit", () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function send(request: ToDefinitionThread): Promise<ReadWorkflow> {
    worker ??= startOne();
    const running = worker;
    running.postMessage(request);
    // The thread keeps the process alive only while a request is open.
    running.ref();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    const watch = watchCpu(running, () => late.abort());
    try {
      const messages = on(running, "message", { signal: late.signal, close: ["exit"] });
      // Other messages are not read: Node's watch mode sends its own.
      for await (const [message] of messages as AsyncIterable<[Partial<{ readonly answer: ReadWorkflow }>]>)
        if (message.answer !== undefined) return message.answer;
      throw new Error("the thread ended");
    } catch (error) {
      worker = undefined;
      void running.terminate();
      const { code, message } = error as NodeJS.ErrnoException;
      if (late.signal.aborted) throw new ComputationTimeoutError(`took longer than ${String(answerCpuMs)} ms`);
      if (code === "ERR_WORKER_OUT_OF_MEMORY") throw new ComputationTimeoutError("took more memory than a thread has");
      throw new ComputationTimeoutError(`ended the thread that read it (${message})`);
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      running.unref();
    }
  }

  async function answerAll(): Promise<void> {
    if (isAnswering) return;
    isAnswering = true;
    for (let [next] = queues; next !== undefined; [next] = queues) {
      const [caller, own] = next;
      const [first] = own;
      queues.delete(caller);
      if (first !== undefined) own.delete(first);
      if (own.size > 0) queues.set(caller, own);
      await first?.();
    }
    isAnswering = false;
  }

  return (request, { caller = "", signal } = {}) => {
    const own = queues.get(caller) ?? new Set();
    const waiting = queues.values().reduce((sum, { size }) => sum + size, 0);
    if (waiting >= mostWaiting || (caller !== "" && own.size >= mostWaiting / 5))
      return Promise.reject(new ZoneError("rate_limited", { retry_after_ms: retryAfterMs }));
    const { promise, resolve, reject } = Promise.withResolvers<ReadWorkflow>();
    const run = async (): Promise<void> => {
      signal?.removeEventListener("abort", leave);
      await send(request).then(resolve, reject);
    };
    const leave = (): void => {
      own.delete(run);
      if (own.size === 0 && queues.get(caller) === own) queues.delete(caller);
      reject(signal?.reason as Error);
    };
    queues.set(caller, own.add(run));
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) leave();
    void answerAll();
    return promise;
  };
}

/** Starts of runs never wait for definitions: a bad definition takes seconds, and stored ones were judged before. */
const [definitions, inputs] = [createRequestThread(50), createRequestThread(1_000)];

/** The problems of definitions whose schemas took too long, and of inputs that ended the thread, by digest. They are not tried again. */
const known = new Map<string, readonly ParamProblem[]>();
const mostKnown = 50;

function remember(digest: string, problems: readonly ParamProblem[]): readonly ParamProblem[] {
  known.set(digest, problems);
  for (const [oldest] of known) if (known.size > mostKnown) known.delete(oldest);
  return problems;
}

/**
 * Reads a definition like `readWorkflow`, on a separate thread, so that no definition blocks or ends the process. Throws a ZoneError
 * `rate_limited` when too many wait, or too many of the caller, and the signal's reason when it is aborted while it waits.
 */
export async function readOnThread(
  source: unknown,
  options: ReadWorkflowOptions,
  by?: RequestBy,
): Promise<ReadWorkflow> {
  const digest = hash("sha256", JSON.stringify(ownMember(source, "input_schema")) ?? "", "base64url");
  const before = known.get(digest);
  if (before) return { problems: before };
  try {
    const read = await definitions({ type: "read", source, ...options }, by);
    const slow = read.problems.filter(
      ({ pointer, message }) => pointer.startsWith("/input_schema") && message.startsWith("took longer than"),
    );
    if (slow.length > 0) remember(digest, slow);
    return read;
  } catch (error) {
    if (!(error instanceof ComputationTimeoutError)) throw error;
    return { problems: [problemOf(error, "make the definition smaller, starting with input_schema")] };
  }
}

/** Returns what is wrong with a schema of a workflow, hook or tool, each problem at a pointer into it. Throws like `readOnThread`. */
export async function checkSchemaOnThread(schema: object, by?: RequestBy): Promise<readonly ParamProblem[]> {
  try {
    return (await definitions({ type: "check_schema", schema: JSON.stringify(schema) }, by)).problems;
  } catch (error) {
    if (!(error instanceof ComputationTimeoutError)) throw error;
    return [problemOf(error, "make the schema smaller")];
  }
}

/**
 * Returns what a schema does not allow in an input, found on another thread. An input that ends the thread has a problem of its own, and the
 * next one is checked. Throws like `readOnThread`.
 */
export async function checkInputOnThread(
  schema: object,
  input: unknown,
  by?: RequestBy,
): Promise<readonly ParamProblem[]> {
  const request = { type: "check_input", schema: JSON.stringify(schema), input: JSON.stringify(input) } as const;
  const digest = (): string => hash("sha256", `${request.schema} ${request.input}`, "base64url");
  // Almost always nothing is known, and inputs can be large.
  const before = known.size > 0 ? known.get(digest()) : undefined;
  if (before) return before;
  try {
    return (await inputs(request, by)).problems;
  } catch (error) {
    if (!(error instanceof ComputationTimeoutError)) throw error;
    return remember(digest(), [problemOf(error, "send a smaller input, or use a smaller schema")]);
  }
}

const problemOf = (error: Error, advice: string): ParamProblem => ({
  pointer: "",
  message: `cannot be checked: it ${error.message}; ${advice}`,
});
