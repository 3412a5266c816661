import {
  type ApiContent,
  type ApiExchange,
  type ApiPath,
  ApiProblem,
  narrowing,
  page,
  type QueryMember,
  readQuery,
  text,
  textThat,
} from "@crosszone/admin-api";
import {
  type AskedInput,
  type InputRequest,
  isCorrelationId,
  isMessageStanding,
  type MessageLife,
  type MessageList,
  type Names,
  type StepAttempt,
  type TaskLife,
  type TaskRecord,
  type WorkflowStepRecord,
} from "@crosszone/contracts";
import { mostShownCalls } from "@crosszone/service-kit/text";
import type { Workflows } from "@crosszone/workflow";
import type { InputRequests } from "../../people/input-requests.ts";
import type { MessageCursor, MessageStore } from "../../tasks/store/message-store.ts";
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

const cursor: QueryMember<MessageCursor | undefined> = (value, wrong) => {
  if (value === undefined) return undefined;
  const [, at, reference = ""] = /^(-?\d{1,15})_([!-~]{1,128})$/.exec(value) ?? [];
  if (at === undefined) wrong("must be the `next_cursor` of the page before");
  return { receivedAt: Number(at), reference };
};

const { since, until, person } = narrowing;
const listQuery = {
  limit: page.limit,
  cursor,
  since,
  until,
  person,
  reference: textThat(isCorrelationId, "must be 1 to 128 printable ASCII characters without spaces"),
  channel: text,
  ts: text,
  state: textThat(isMessageStanding, "must be how a message stands: failed, waiting, answered, open or another"),
};

const notFound = { kind: "message_not_found", status: 404, title: "Message not found" };

const most = { tasks: 20, inputs: 100, steps: 500 };

/** Returns the paths that find messages and show their lives. `readTask`: returns a task with its agent calls. */
export function messagePaths(
  lives: Lives,
  readTask: (id: string) => Promise<TaskRecord | undefined>,
): Readonly<Record<string, ApiPath>> {
  const { messages, tasks } = lives;

  async function list({ request }: ApiExchange): Promise<ApiContent> {
    const { found, next } = await messages.list(readQuery(request.url, listQuery));
    const references = found.map(({ message }) => message.reference);
    const asked = await tasks.ofReferences(references, 2 * found.length);
    const listed = found.map(({ caller, ...one }) => ({
      ...one,
      task: asked.find((task) => task.correlation_id === one.message.reference && task.caller === caller),
    }));
    const waiting = listed.flatMap(({ standing, task }) => (standing === "waiting" && task ? task.task_id : []));
    const waits = await lives.inputs.waitsOf(waiting, "task_id");
    const body: MessageList = {
      messages: listed.map((one) => {
        const { waits_for } = waits.get(one.task?.task_id ?? "") ?? {};
        return { ...one, waits_for: waits_for && [...waits_for] };
      }),
      names: Object.assign({}, ...[...waits.values()].map(({ names }) => names)) as Names,
      next_cursor: next && `${next.receivedAt}_${next.reference}`,
    };
    return { status: 200, body };
  }

  async function show({ request, params }: ApiExchange): Promise<ApiContent> {
    readQuery(request.url, {});
    const id = await wholeReference(params["reference"] ?? "");
    const named = await tasks.get(id);
    const reference = named?.correlation_id ?? id;
    if (!isCorrelationId(reference)) throw unknown();
    const [{ found }, asked] = await Promise.all([
      messages.list({ reference, limit: most.tasks }),
      tasks.ofReferences([reference], most.tasks),
    ]);
    // A reference is the caller's own choice: others can choose the same.
    const whose = named?.caller ?? found.find(({ caller }) => caller === asked[0]?.caller)?.caller ?? found[0]?.caller;
    const owner = whose ?? asked[0]?.caller;
    if (owner === undefined) throw unknown();
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
    return { status: 200, body: body satisfies MessageLife };
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

  return { "/messages": { get: list }, "/messages/{reference}": { get: show } };
}

const unknown = (): ApiProblem =>
  new ApiProblem(
    notFound,
    "No message has this reference, and no task this reference or id. Messages are deleted after 30 days, or after TASK_RETENTION if that is longer; tasks after TASK_RETENTION.",
  );

function inputOf({ votes, ...request }: InputRequest): AskedInput {
  const { request_id, kind, state, agent, decide, created_at, expires_at, decided_at } = request;
  const decided_by = votes.map(({ user_id }) => user_id);
  return { request_id, kind, state, agent, decide, decided_by, created_at, expires_at, decided_at };
}

function stepOf({ step_id: _id, ...step }: WorkflowStepRecord): StepAttempt {
  return step;
}
