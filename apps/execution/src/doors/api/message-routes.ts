import { ApiProblem, type AskedFor } from "@crosszone/admin-api";
import {
  type AskedInput,
  type InputRequest,
  isCorrelationId,
  type MessageLife,
  type Names,
  type StepAttempt,
  type TaskLife,
  type TaskRecord,
  type WorkflowStepRecord,
} from "@crosszone/contracts";
import { mostShownCalls } from "@crosszone/service-kit/text";
import type { Workflows } from "@crosszone/workflow";
import type { InputRequests } from "../../people/input-requests.ts";
import type { MessageStore } from "../../tasks/store/message-store.ts";
import type { TaskReader } from "../../tasks/store/task-reader.ts";
import type { UsageReader } from "../../usage/sql-usage-reader.ts";

/** Where the parts of a life are. */
export interface Lives {
  readonly messages: MessageStore;
  readonly tasks: TaskReader;
  readonly usage: UsageReader;
  readonly inputs: InputRequests;
  readonly readSteps: Workflows["attemptStates"];
}

const most = { tasks: 20, inputs: 100, steps: 500 };

/** Returns what finds messages and shows their lives. `readTask`: returns a task with its agent calls. */
export function messageHandlers(lives: Lives, readTask: (id: string) => Promise<TaskRecord | undefined>) {
  const { messages, tasks } = lives;

  async function list({ query }: Pick<AskedFor<"listMessages">, "query">) {
    const { found, next } = await messages.list(query);
    const references = found.map(({ message }) => message.reference);
    const asked = await tasks.ofReferences(references, 2 * found.length);
    const listed = found.map(({ caller, ...one }) => ({
      ...one,
      task: asked.find((task) => task.correlation_id === one.message.reference && task.caller === caller),
    }));
    const waiting = listed.flatMap(({ standing, task }) => (standing === "waiting" && task ? task.task_id : []));
    const waits = await lives.inputs.waitsOf(waiting, "task_id");
    return {
      messages: listed.map((one) => {
        const { waits_for } = waits.get(one.task?.task_id ?? "") ?? {};
        return { ...one, waits_for: waits_for && [...waits_for] };
      }),
      names: Object.assign({}, ...[...waits.values()].map(({ names }) => names)) as Names,
      next_cursor: next,
    };
  }

  async function show({ params }: Pick<AskedFor<"getMessage">, "params">): Promise<MessageLife> {
    const id = await wholeReference(params.reference);
    const named = await tasks.get(id);
    const reference = named?.correlation_id ?? id;
    if (!isCorrelationId(reference)) throw new ApiProblem("message_not_found");
    const [{ found }, asked] = await Promise.all([
      messages.list({ reference, limit: most.tasks }),
      tasks.ofReferences([reference], most.tasks),
    ]);
    // A reference is the caller's own choice: others can choose the same.
    const whose = named?.caller ?? found.find(({ caller }) => caller === asked[0]?.caller)?.caller ?? found[0]?.caller;
    const owner = whose ?? asked[0]?.caller;
    if (owner === undefined) throw new ApiProblem("message_not_found");
    const { message, pending_act, standing } = found.find(({ caller }) => caller === owner) ?? {};
    const isAnothers = ({ caller }: TaskRecord): boolean => caller !== owner;
    const ordered = asked.toSorted((a, b) => Number(isAnothers(a)) - Number(isAnothers(b)));
    const reported = message !== undefined;
    const body = { reference, reported, message, standing, pending_act, tasks: [] as TaskLife[] };
    // One after the other: each reads what people were asked, which is large.
    for (const { task_id } of ordered) {
      const task = await readTask(task_id);
      if (task === undefined) continue;
      const life = await lifeOf(task);
      body.tasks.push(isAnothers(task) ? { ...life, of_another: true } : life);
    }
    return body;
  }

  /** Returns the reference that begins with a text, if exactly one does; otherwise the text itself. */
  async function wholeReference(given: string): Promise<string> {
    if (!/^[\w-]{4,35}$/.test(given)) return given;
    const { found } = await messages.list({ beginning: given, limit: most.tasks });
    const all = new Set(found.map(({ message }) => message.reference));
    const [only = given] = all;
    return all.size === 1 ? only : given;
  }

  async function lifeOf(task: TaskRecord): Promise<TaskLife> {
    const taskId = task.task_id;
    const [{ records }, attempts = []] = await Promise.all([
      lives.inputs.page({ taskId }, most.inputs),
      lives.readSteps(taskId),
    ]);
    const steps = attempts.slice(0, most.steps);
    const ids = new Set([taskId, ...steps.flatMap(({ task_id }) => task_id ?? [])]);
    const asked = records.map(({ request }) => inputOf(request));
    return {
      task,
      ...(await lives.usage.callsOf([...ids], mostShownCalls)),
      input_requests: asked.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)),
      steps: steps.map(stepOf),
    };
  }

  return { listMessages: list, getMessage: show };
}

function inputOf({ votes, ...request }: InputRequest): AskedInput {
  const { request_id, kind, state, agent, decide, created_at, expires_at, decided_at } = request;
  const decided_by = votes.map(({ user_id }) => user_id);
  return { request_id, kind, state, agent, decide, decided_by, created_at, expires_at, decided_at };
}

function stepOf({ step_id: _id, ...step }: WorkflowStepRecord): StepAttempt {
  return step;
}
