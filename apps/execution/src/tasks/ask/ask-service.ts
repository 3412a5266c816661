import { setTimeout as delay } from "node:timers/promises";
import { type InputAnswer, type InputRequest, ZoneError } from "@crosszone/contracts";
import { ByteBudget } from "@crosszone/service-kit";
import type { AgentDirectory } from "../../agents/agent-directory.ts";
import { type Agent, mayAsk } from "../../agents/agent.ts";
import type { InputRequests } from "../../people/input-requests.ts";
import type { AskFilter, FoundAsk, ListPlace, StoredAsk } from "../store/asked-tasks.ts";
import { mostLogged } from "../task-run.ts";
import type { TaskTails } from "../task-tails.ts";
import { isFinal, type Task } from "../task.ts";
import {
  type AskedTask,
  type AskEvent,
  type FollowParts,
  followAskedTask,
  isBeingAsked,
  viewTask,
  waitingMs,
} from "./asked-task.ts";
import { type Asker, type AskRequest, hold } from "./asker.ts";
import { type ProgramQuestion, type SubmitParts, submitQuestion } from "./submit-question.ts";

/** How long to wait, milliseconds. */
export interface WaitOptions {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface AskParts extends SubmitParts {
  readonly agents: AgentDirectory;
  readonly tails: TaskTails;
  readonly inputs: InputRequests;
}

/**
 * What requests of programs hold at once, bytes: bodies while they are read and answered, and what is read of tasks until the response has been
 * written. A byte here is about eight in the heap, and a process has 768 MB in the deployments of this repository.
 */
const contentLimits = { all: 32_000_000, each: 8_000_000, waitMs: 2_000 };
/** The most content of one page, bytes; a single larger task has a page of its own. */
const pageBytes = 4_000_000;
/** An answer of this size is not read again by those who waited for it, characters. */
const smallSize = 64_000;

/**
 * What programs can do with tasks, whichever protocol they speak. A program sees only its own tasks: any other one does not exist. Content is
 * read only once the request holds its size; each of these throws `rate_limited` when there is no room for it.
 */
export class AskService {
  readonly #parts: AskParts;
  readonly #budget = new ByteBudget(contentLimits);

  constructor(parts: AskParts) {
    this.#parts = parts;
  }

  /** Returns a program with what a request of it holds. Close that when the response has been written or its client is gone. */
  open(asker: Asker): Asker {
    return { ...asker, held: this.#budget.open(asker.actor) };
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
    if (!isSettled(task) && isFinal(ended.state) && isSmall(ended)) return viewNow(ended);
    return this.wait(request.asker, task.task_id, isSettled(ended) ? wait : { waitMs: 0 });
  }

  /** Returns a task. Throws `task_not_found`. */
  async find(asker: Asker, taskId: string): Promise<AskedTask> {
    return this.#view(asker, await this.#find(asker, taskId));
  }

  /**
   * Returns the tasks of a page, how many match, and where the next page begins. With content, that is with their messages and answers, a page
   * may have fewer tasks than its limit.
   */
  async list(
    asker: Asker,
    filter: AskFilter,
    page: { readonly limit: number; readonly after?: ListPlace | undefined; readonly content?: boolean },
  ) {
    const { limit, after, content = false } = page;
    const { asked } = this.#parts.store;
    // One more than the page tells whether another page follows.
    const { tasks: found, total } = await asked.list(asker.actor, filter, { limit: limit + 1, after });
    const shown = found.slice(0, content ? fittingTasks(found, limit) : limit);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    const next = last && { changedAt: last.changed_at, taskId: last.task_id };
    if (content) await hold(asker, bytesOf(shown));
    const read = new Map((content ? await asked.read(shown) : []).map((task) => [task.task_id, task]));
    return { tasks: shown.map((task) => viewTask(read.get(task.task_id) ?? task)), total, next };
  }

  /** Cancels a task and its agent's work. Throws `task_not_found`, or `invalid_state_transition` when it has ended. */
  async cancel(asker: Asker, taskId: string): Promise<AskedTask> {
    const task = await this.#read(asker, await this.#find(asker, taskId));
    if (isFinal(task.state)) throw new ZoneError("invalid_state_transition", { task_id: taskId });
    await this.#parts.runner.cancel(task);
    return this.find(asker, taskId);
  }

  /** Cancels the open task with a name: its id, or how that of its call begins. A call may be canceled before its task is stored. */
  async cancelCall(asker: Asker, name: string): Promise<void> {
    const filter = { states: ["working", "input_required"] } as const;
    for (const waitMs of [0, 500]) {
      await delay(waitMs);
      // No program can have more open tasks.
      const open = await this.#parts.store.asked.list(asker.actor, filter, { limit: 10_000 });
      const [task, other] = open.tasks.filter(({ task_id, ask }) => task_id === name || ask.call?.startsWith(name));
      // Clients without a session can have calls of one name. Content is not held: the response of the call may be over.
      if (task !== undefined && other === undefined)
        return void (await this.#parts.runner.cancel(await this.#read({ ...asker, held: undefined }, task)));
    }
  }

  /** Waits until a task has ended or waits for people, `waitMs` milliseconds at most. Returns it as it is then. */
  async wait(asker: Asker, taskId: string, { waitMs, signal }: WaitOptions): Promise<AskedTask> {
    const until = performance.now() + waitMs;
    for (;;) {
      const task = await this.#find(asker, taskId);
      const leftMs = until - performance.now();
      const isOver = leftMs <= 0 || signal?.aborted === true;
      if (isOver || isFinal(task.state) || task.waits) {
        const seen = await this.#view(asker, task);
        if (isOver || !seen.inputs.some(isBeingAsked)) return seen;
      }
      // A paused task without open requests is about to continue, or waits for a time or an event; others wait until their people are asked.
      if (task.state === "input_required") await delay(Math.min(leftMs, waitingMs(task)));
      else await this.#parts.runner.waitUntilSettled(task, leftMs, signal);
    }
  }

  /** Yields the events of a task after the event `seq`. Ends after its end, or when the signal aborts. Throws `task_not_found`. */
  async *events(
    asker: Asker,
    taskId: string,
    from: { readonly seq: number; readonly signal: AbortSignal },
  ): AsyncGenerator<AskEvent, void> {
    const parts: FollowParts = {
      ...this.#parts,
      log: this.#parts.store.log,
      reread: () => this.#find(asker, taskId),
      view: (task) => this.#view(asker, task),
    };
    yield* followAskedTask(parts, await this.#find(asker, taskId), from);
  }

  /** Gives the program's answer to an input request of its task. Throws `input_request_not_found`, or `invalid_params` for a wrong answer. */
  async answer(
    { asker, surface }: AskRequest,
    requestId: string,
    { answer, digest }: { readonly answer: InputAnswer; readonly digest?: string | undefined },
  ): Promise<{ readonly outcome: string; readonly request: InputRequest }> {
    const { inputs } = this.#parts;
    const ballot = { answer, digest, by: { user_id: asker.actor, groups: [] }, via: surface, from: asker.from };
    const found = await inputs.find(requestId);
    if (found?.caller !== asker.actor) {
      await inputs.rejectUnknown(requestId, ballot, asker.actor);
      throw new ZoneError("input_request_not_found");
    }
    const result = await inputs.answer(requestId, ballot);
    if (result === undefined) throw new ZoneError("input_request_not_found");
    return { outcome: result.outcome, request: result.input_request };
  }

  async #find({ actor }: Asker, taskId: string): Promise<FoundAsk> {
    const found = await this.#parts.store.asked.find(actor, taskId);
    if (found === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
    return found;
  }

  /** Reads the content of a task. It may grow until there is room. */
  async #read(asker: Asker, task: FoundAsk): Promise<StoredAsk> {
    for (let found = task; ; found = await this.#find(asker, task.task_id)) {
      await hold(asker, found.bytes + (isFinal(found.state) ? 0 : mostLogged));
      const [read] = found.whole ? [found.whole] : await this.#parts.store.asked.read([found]);
      if (read !== undefined) return read;
    }
  }

  async #view(asker: Asker, found: FoundAsk): Promise<AskedTask> {
    const { store, inputs } = this.#parts;
    const task = await this.#read(asker, found);
    const { task_id, state } = task;
    if (isFinal(state)) return viewTask(task);
    const open = task.waits ? await inputs.list({ taskId: task_id, state: "open" }, { limit: 100 }) : [];
    const events = await store.log.readLastRun(task_id);
    return { ...viewTask(task, events, open), waits: open.length > 0 };
  }
}

const bytesOf = (tasks: readonly FoundAsk[]): number => tasks.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns how many of the first tasks are a page with content: one at least. */
function fittingTasks(found: readonly FoundAsk[], limit: number): number {
  let count = 1;
  for (let left = pageBytes - bytesOf(found.slice(0, 1)); count < limit; count += 1) {
    left -= found[count]?.bytes ?? 0;
    if (left < 0) break;
  }
  return count;
}

const isSettled = ({ state }: Task): boolean => isFinal(state) || state === "input_required";

function isSmall({ outcome }: Task): boolean {
  if (outcome === undefined || "error" in outcome) return true;
  const { answer, files = [] } = outcome;
  return files.reduce((size, { bytes }) => size + bytes.length, answer.response_text.length) <= smallSize;
}

/** Returns a task that has just been stored, without what its agent has shown. */
function viewNow(task: Task): AskedTask {
  const at = Date.now();
  return viewTask({ ...task, created_at: at, changed_at: at, bytes: 0, waits: false } as StoredAsk);
}
