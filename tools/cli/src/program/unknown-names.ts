import { type InputRequest, type TaskRecord, type WorkflowRunSummary } from "@crosszone/contracts";
import type { AgentsApi, ApiClient } from "../api/api-client.ts";
import { orSay, RefusedError } from "../api/send.ts";
import { didYouMean, type Session, UsageError } from "./session.ts";
import { ownName } from "../text/terminal-text.ts";

/** The names, tasks or runs that are searched for similar ones. */
const latest = { limit: 200 };

const named = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name);

/** The names that the operands of a kind, or an option such as `agent`, can have. A plain `name` is of the kind of its group. */
const namesByKind: Readonly<Record<string, (api: ApiClient) => Promise<readonly string[]>>> = {
  agent: async ({ agents }) => named((await agents.list(latest)).agents),
  workflow: async (api) => (await api.workflows(latest)).workflows.map((one) => one.workflow_id),
  run: async (api) => (await api.runs({ limit: latest.limit })).runs.map((one) => one.run_id),
  approval: async ({ inputs }) =>
    (await inputs.list({ limit: latest.limit, state: "open" })).input_requests.map((one) => one.request_id),
  schedules: async ({ schedules }) => named((await schedules.list({ limit: latest.limit })).schedules),
  tokens: async ({ tokens }) => named((await tokens.list()).tokens),
  hooks: async (api) => named((await api.hooks()).hooks),
  server: async ({ mcp }) => named((await mcp.list()).servers),
};

/** Returns the names that an operand or an option of a kind can have; empty for a kind without names. */
export async function knownNames(kind: string, { api }: Session): Promise<readonly string[]> {
  return Object.hasOwn(namesByKind, kind) ? ((await namesByKind[kind]?.(api())) ?? []) : [];
}

/** Refusals of a name that no command explains itself: whose name it is, and the command that lists them. */
const unknownNames: Readonly<Record<string, string>> = {
  "schedule-not-found": "schedules",
  "token-not-found": "tokens",
};

/** Adds similar names, or the command that lists all, to a refusal of an unknown name. */
export async function withNearName(refused: unknown, name: string | undefined, session: Session): Promise<unknown> {
  const kind = refused instanceof RefusedError ? unknownNames[refused.kind] : undefined;
  if (kind === undefined || name === undefined || !(refused instanceof Error)) return refused;
  const known = await knownNames(kind, session).catch(() => []);
  refused.message = `${refused.message}${nearOrListed(name, known, kind)}`;
  return refused;
}

/** Returns the id of a person or a program. For a name, the id of the person of that name who asked last; the text itself if there is none. */
export async function personIn(text: string, session: Session): Promise<string> {
  if (/^[UW][A-Z\d]{2,}$/.test(text) || text.includes(":")) return text;
  const { tasks } = session.api();
  const { tasks: asked } = await tasks.list({ person: text, limit: 1 });
  return (asked[0] && (await requesterOf(asked[0], session)).id) ?? text;
}

/** Returns who asked a task: the program, or the Slack id that verification reported or the open task has, and the name that is known for it. */
export async function requesterOf(
  { task_id, caller, correlation_id: reference }: TaskRecord,
  { api }: Session,
): Promise<{ readonly id?: string | undefined; readonly name?: string | undefined }> {
  if (caller.includes(":")) return { id: caller };
  const { messages, tasks } = api();
  const { messages: found, names } = await messages.list({ reference, limit: 1 });
  const id = found[0]?.message.user_id ?? (await tasks.get(task_id)).user_id;
  return { id, name: names?.[id ?? ""] };
}

/** Returns an error handler for a request that names an agent: it reports an unknown name with similar names. */
export const orNearAgent = (agents: AgentsApi, name: string) =>
  orSay("agent-not-found", () => unknownAgent(agents, name));

/** Returns the error text for an agent that isn't registered or is off. */
export async function unknownAgent(agents: AgentsApi, name: string): Promise<string> {
  const names = (await agents.list(latest)).agents.map((agent) => agent.name);
  if (names.includes(name)) return `${name} is off. Turn it on: ${ownName} agents enable ${name}`;
  return `No agent is called "${name}".${nearOrListed(name, names, "agents")}`;
}

/** Returns similar names, otherwise which command lists all. */
const nearOrListed = (name: string, known: readonly string[], command: string): string =>
  didYouMean(name, known) || ` ${ownName} ${command} lists them.`;

/** Returns the one with a name. Throws a `UsageError` with the problem when none has it, and similar names or the command that lists all. */
export function findNamed<One extends { readonly name: string }>(
  all: readonly One[],
  name: string,
  { problem, command }: { readonly problem: string; readonly command?: string },
): One {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  const hint = command === undefined ? didYouMean(name, names) : nearOrListed(name, names, command);
  throw new UsageError(problem + hint);
}

/**
 * Returns an error handler for a request that names a workflow. It reports an unknown workflow with similar names, and an unknown version
 * with the latest one.
 */
export const orNear = (api: ApiClient, workflowId: string) =>
  orSay("workflow-not-found", async () => {
    const { workflows } = await api.workflows(latest);
    const there = workflows.find(({ workflow_id }) => workflow_id === workflowId);
    if (there !== undefined) return `${workflowId} has no such version. The latest is ${there.version}.`;
    const ids = workflows.map(({ workflow_id }) => workflow_id);
    return `No such workflow.${nearOrListed(workflowId, ids, "workflows")}`;
  });

/** Returns the error text for what is no reference, and no id of a task. */
export async function unknownReference(tasks: ApiClient["tasks"], name: string): Promise<string> {
  const { tasks: known } = await tasks.list(latest);
  const names = new Set(known.flatMap(({ task_id, correlation_id }) => [correlation_id, task_id]));
  return `No message and no task has the reference or id "${name}".${nearOrListed(name, [...names], "tasks")}`;
}

/** The beginning of an id, as lists show it. A whole id is longer. */
const beginning = /^(?=.{4,35}$)(?:inp_)?[\da-f-]*$/;

/**
 * Returns the one id that begins with what was typed; what was typed when there is none, or it is no beginning. Throws a `UsageError` when there
 * are several. `idsOf`: reads a page of those that begin so.
 */
async function wholeId(
  typed: string,
  idsOf: (page: { readonly id: string; readonly limit: number }) => Promise<readonly string[]>,
): Promise<string> {
  if (!beginning.test(typed)) return typed;
  const found = await idsOf({ id: typed, limit: 3 });
  if (found.length > 1 && !found.includes(typed))
    throw new UsageError(`Several begin with "${typed}": ${found.join(", ")}. Type more of the one that you mean.`);
  return found[0] ?? typed;
}

/** Finds an input request by its id, or by the beginning of it. */
export async function findInput(inputs: ApiClient["inputs"], typed: string): Promise<InputRequest> {
  const idsOf = async (page: { readonly limit: number }) =>
    (await inputs.list(page)).input_requests.map(({ request_id }) => request_id);
  const id = await wholeId(typed, idsOf);
  const orNearId = orSay("input-request-not-found", async () => {
    const near = nearOrListed(typed, await idsOf({ limit: latest.limit }), "approvals");
    return `No approval has the id "${typed}".${near}`;
  });
  return inputs.get(id).catch(orNearId);
}

/** Returns the id of the run whose id begins with what was typed, as `wholeId` does. */
export const runIdOf = (api: ApiClient, typed: string): Promise<string> =>
  wholeId(typed, async (page) => (await api.runs(page)).runs.map(({ run_id }) => run_id));

/** Returns the id of the task whose id begins with what was typed, as `wholeId` does. */
export const taskIdOf = (tasks: ApiClient["tasks"], typed: string): Promise<string> =>
  wholeId(typed, async (page) => (await tasks.list({ ...page })).tasks.map(({ task_id }) => task_id));

/** Returns true if a person in Slack asked for the run: its task, which has the same id, belongs to a team. */
export async function isFromSlack(tasks: ApiClient["tasks"], { run_id }: WorkflowRunSummary): Promise<boolean> {
  const task = await tasks.get(run_id).catch(() => undefined);
  return task?.team !== undefined;
}
