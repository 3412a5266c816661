import { parentPort, workerData } from "node:worker_threads";
import type { Agent, AgentContext, ReadFile } from "../agent.ts";
import { type FromThread, receiveError, sendError, type ThreadSettings, type ToThread } from "./thread-messages.ts";

/** The program of a thread. It creates the agent and runs it by messages; runs that wait can overlap. */
const port = parentPort;
if (port === null) throw new Error("this module runs only as a worker thread");
const { module, factory, options } = workerData as ThreadSettings;
const factories = (await import(module)) as Record<string, (options?: unknown) => Agent>;
const agent = factories[factory]?.(options);
if (agent === undefined) throw new Error(`${module} has no ${factory}`);

interface Run {
  readonly controller: AbortController;
  readonly reads: PromiseWithResolvers<Uint8Array>[];
}

const runs = new Map<number, Run>();
const post = (message: FromThread): void => port.postMessage(message);

port.on("message", (message: ToThread) => {
  if (message.type === "free") return post(message);
  if (message.type === "run") return void start(message);
  const run = runs.get(message.run);
  if (message.type === "abort") stop(run, receiveError(message.reason));
  else if (message.type === "file") run?.reads[message.read]?.resolve(message.bytes);
  else run?.reads[message.read]?.reject(receiveError(message.error));
});

async function start({ run, input, aheadMs }: Extract<ToThread, { type: "run" }>): Promise<void> {
  const { controller, reads }: Run = { controller: new AbortController(), reads: [] };
  runs.set(run, { controller, reads });
  const readFile: ReadFile = async (id) => {
    controller.signal.throwIfAborted();
    const file = Promise.withResolvers<Uint8Array>();
    post({ type: "read", run, read: reads.push(file) - 1, id });
    return file.promise;
  };
  const context: AgentContext = {
    signal: controller.signal,
    now: () => new Date(Date.now() + aheadMs),
    readFile,
  };
  try {
    post({ type: "answer", run, answer: await (agent as Agent).run(input, context) });
  } catch (error) {
    post({ type: "failure", run, error: sendError(error) });
  } finally {
    runs.delete(run);
  }
}

/** Also rejects pending file reads, because no more files arrive. */
function stop(run: Run | undefined, reason: Error): void {
  run?.controller.abort(reason);
  for (const file of run?.reads ?? []) file.reject(reason);
}
