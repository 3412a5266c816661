import { setTimeout as delay } from "node:timers/promises";
import { type InputAnswer, type InputRequest, ZoneError } from "@crosszone/contracts";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import { type Agent, mayAsk } from "../agents/agent.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import type { TaskTails } from "../tasks/task-tails.ts";
import { isFinal, type Task } from "../tasks/task.ts";
import { type AskedTask, viewTask } from "./asked-task.ts";
import type { AskFilter, ListPlace, StoredAsk } from "../tasks/sql/asked-tasks.ts";
import type { Asker, AskRequest } from "./asker.ts";
import { type ProgramQuestion, submitQuestion, type SubmitParts } from "./submit-question.ts";
import { type AskEvent, type FollowParts, followTask } from "./follow-task.ts";

/** How long to wait, milliseconds. */
export interface WaitOptions {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface AskParts extends SubmitParts {
  readonly agents: AgentDirectory;
  readonly tails: TaskTails;
  readonly inputs: InputRequests;
  /** URL of the zone that serves the page of runs. */
  readonly pageUrl?: string | undefined;
}

/** What programs can do with tasks, whichever protocol they speak. A program sees only its own tasks: any other one does not exist. */
export class AskService {
  readonly #parts: AskParts;
  readonly #follow: FollowParts;

  constructor(parts: AskParts) {
    this.#parts = parts;
    this.#follow = {
      ...parts,
      log: parts.store.log,
      reread: (task) => this.#find(task.caller, task.task_id),
      view: (task) => this.#view(task),
    };
  }

  /** Returns the agents that a program may ask. */
  async agents(asker: Asker): Promise<readonly Agent[]> {
    return (await this.#parts.agents.list()).filter(({ name }) => mayAsk(asker, name));
  }

  /** Returns an agent. Throws `unknown_agent` for one that does not exist or that the program may not ask. */
  async agent(asker: Asker, name: string): Promise<Agent> {
    const agent = mayAsk(asker, name) ? await this.#parts.agents.resolve(name) : undefined;
    if (agent === undefined) throw new ZoneError("unknown_agent", { agent: name });
    return agent;
  }

  /** Asks as `submitQuestion` does. */
  async ask(request: AskRequest, question: ProgramQuestion): Promise<AskedTask> {
    const task = await submitQuestion(this.#parts, request, question);
    return isSettled(task) ? this.find(request.asker, task.task_id) : viewNow(task);
  }

  /** Asks as `ask` does, and waits as `wait` does. */
  async askAndWait(request: AskRequest, question: ProgramQuestion, wait: WaitOptions): Promise<AskedTask> {
    const task = await submitQuestion(this.#parts, request, question);
    const { waitMs, signal } = wait;
    const ended = isSettled(task) ? task : await this.#parts.runner.waitUntilSettled(task, waitMs, signal);
    // A task that was just stored and has ended since is not read again.
    if (!isSettled(task) && isFinal(ended.state)) return viewNow(ended);
    return this.wait(request.asker, task.task_id, isSettled(ended) ? wait : { waitMs: 0 });
  }

  /** Returns a task. Throws `task_not_found`. */
  async find({ actor }: Asker, taskId: string): Promise<AskedTask> {
    return this.#view(await this.#find(actor, taskId));
  }

  async list(
    { actor }: Asker,
    filter: AskFilter,
    page: { readonly limit: number; readonly after?: ListPlace | undefined },
  ): Promise<{ readonly tasks: readonly AskedTask[]; readonly total: number }> {
    const { tasks, total } = await this.#parts.store.asked.list(actor, filter, page);
    return { tasks: await Promise.all(tasks.map((task) => this.#view(task))), total };
  }

  /** Cancels a task and its agent's work. Throws `task_not_found`, or `invalid_state_transition` when it has ended. */
  async cancel(asker: Asker, taskId: string): Promise<AskedTask> {
    const task = await this.#find(asker.actor, taskId);
    if (isFinal(task.state)) throw new ZoneError("invalid_state_transition", { task_id: taskId });
    await this.#parts.runner.cancel(task);
    return this.find(asker, taskId);
  }

  /** Waits until a task has ended or waits for people, `waitMs` milliseconds at most. Returns it as it is then. */
  async wait(asker: Asker, taskId: string, { waitMs, signal }: WaitOptions): Promise<AskedTask> {
    const until = performance.now() + waitMs;
    for (;;) {
      const task = await this.#find(asker.actor, taskId);
      const seen = isSettled(task) ? await this.#view(task) : undefined;
      if (seen && (isFinal(task.state) || seen.inputs.length > 0)) return seen;
      const leftMs = until - performance.now();
      if (leftMs <= 0 || signal?.aborted === true) return seen ?? this.#view(task);
      // A paused task without open requests is about to continue.
      if (seen) await delay(50);
      else await this.#parts.runner.waitUntilSettled(task, leftMs, signal);
    }
  }

  /** Yields the events of a task after the event `seq`. Ends after its end, or when the signal aborts. Throws `task_not_found`. */
  async *events(
    { actor }: Asker,
    taskId: string,
    from: { readonly seq: number; readonly signal: AbortSignal },
  ): AsyncGenerator<AskEvent, void> {
    yield* followTask(this.#follow, await this.#find(actor, taskId), from);
  }

  /** Gives the program's answer to an input request of its task. Throws `input_request_not_found`, or `invalid_params` for a wrong answer. */
  async answer(
    { asker, surface }: AskRequest,
    requestId: string,
    { answer, digest }: { readonly answer: InputAnswer; readonly digest?: string | undefined },
  ): Promise<{ readonly outcome: string; readonly request: InputRequest }> {
    const { inputs } = this.#parts;
    const by = { user_id: asker.actor, groups: [] };
    const found = await inputs.find(requestId);
    if (found?.caller !== asker.actor) {
      await inputs.rejectUnknown(requestId, by, asker.actor);
      throw new ZoneError("input_request_not_found");
    }
    const result = await inputs.answer(requestId, { answer, digest, by, via: surface });
    if (result === undefined) throw new ZoneError("input_request_not_found");
    return { outcome: result.outcome, request: result.input_request };
  }

  async #find(actor: string, taskId: string): Promise<StoredAsk> {
    const found = await this.#parts.store.asked.find(actor, taskId);
    if (found === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
    return found;
  }

  async #view(task: StoredAsk): Promise<AskedTask> {
    const { store, inputs, pageUrl } = this.#parts;
    const { task_id, state } = task;
    if (isFinal(state)) return viewTask(task, { events: [], inputs: [] });
    const open =
      state === "input_required" ? await inputs.list({ taskId: task_id, state: "open" }, { limit: 100 }) : [];
    const seen = viewTask(task, { events: await store.log.read(task_id, 0), inputs: open });
    const run = open.find(({ run_id }) => run_id !== undefined)?.run_id;
    return pageUrl === undefined || run === undefined ? seen : { ...seen, page: new URL(`/runs/${run}`, pageUrl).href };
  }
}

const isSettled = ({ state }: Task): boolean => isFinal(state) || state === "input_required";

/** Returns a task that has just been stored, without what its agent has shown. */
function viewNow(task: Task): AskedTask {
  const at = Date.now();
  return viewTask({ ...task, created_at: at, changed_at: at } as StoredAsk, { events: [], inputs: [] });
}
