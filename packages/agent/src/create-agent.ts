import type { AgentOptions, Handler, NodeListener } from "./agent-definition.ts";
import { createAnswerHttp } from "./http/answer-http.ts";
import { createNodeListener } from "./http/node-listener.ts";
import { createTaskService } from "./tasks/task-service.ts";

/** An agent that your own server serves. */
export interface Agent {
  /** For servers with the Fetch API, such as Hono: pass it every request below the agent's path. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For `http.createServer(agent.listener)` and, in Express, `app.use("/path", agent.listener)`. */
  readonly listener: NodeListener;
  /** Refuses new tasks, and resolves when no task works any more. */
  readonly drain: () => Promise<void>;
}

/** Creates an agent. Throws a `TypeError` for invalid options. */
export function createAgent(options: AgentOptions, handler: Handler): Agent {
  checkOptions(options, handler);
  const onError = options.onError ?? writeError;
  const service = createTaskService({
    handler,
    maxTasks: options.maxTasks ?? 1_000,
    taskTimeoutMs: options.taskTimeoutMs ?? 15 * 60_000,
    questionTimeoutMs: options.questionTimeoutMs ?? 24 * 60 * 60_000,
    onError,
  });
  const answer = createAnswerHttp(options, service, onError);
  return { fetch: answer, listener: createNodeListener(answer), drain: service.drain };
}

/** Timers of Node count to 2³¹ - 1, and fire at once beyond it. */
const largest = 2 ** 31 - 1;

function checkOptions(options: AgentOptions, handler: Handler): void {
  for (const name of ["name", "description"] as const)
    if (typeof options?.[name] !== "string" || options[name] === "")
      throw new TypeError(`Expected ${name} to be a string that is not empty, got ${JSON.stringify(options?.[name])}.`);
  for (const name of ["maxBodyBytes", "maxTasks", "taskTimeoutMs", "questionTimeoutMs"] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 1 && value <= largest))
      throw new TypeError(`Expected ${name} to be 1 to ${largest}, got ${value}.`);
  }
  if (options.url !== undefined && !/^https?:\/\//.test(options.url))
    throw new TypeError(`Expected a url that starts with http:// or https://, got ${JSON.stringify(options.url)}.`);
  if (typeof handler !== "function")
    throw new TypeError(`Expected the handler to be a function, got ${typeof handler}.`);
}

function writeError(error: unknown, taskId: string): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${taskId === "" ? "A request" : `Task ${taskId}`} failed: ${stack}\n`);
}
