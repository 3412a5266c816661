import type { WorkflowRunSummary } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import { orSay, RefusedError } from "../api/send.ts";
import { didYouMean, type Session, UsageError } from "./session.ts";
import { ownName } from "../text/terminal-text.ts";

/** Returns the kind of the names that an operand or an option can have: a plain `name` is one of the group, such as `schedules`. */
export const kindOf = (word: string, command: string): string =>
  word === "name" ? (command.split(" ")[0] ?? "") : word;

/** Returns the names that an operand or an option of a kind can have; empty for a kind without names. */
export const knownNames = async (kind: string, { api, listed }: Session): Promise<readonly string[]> =>
  (await listed.find((one) => one.kind === kind)?.read(api())) ?? [];

/** Names what was typed in a refusal of an unknown name, with similar names or the command that lists all. */
export async function withNearName(refused: unknown, name: string | undefined, session: Session): Promise<unknown> {
  if (!(refused instanceof RefusedError) || name === undefined) return refused;
  const lists = session.listed.find((one) => one.refusal === refused.kind);
  if (lists === undefined || refused.isExplained) return refused;
  const known = await lists.read(session.api()).catch(() => []);
  refused.message = `${refused.title}: "${name}".${nearOrListed(name, known, lists.command)}`;
  return refused;
}

/** Returns the error text for an agent that isn't registered or is off. */
export async function unknownAgent(name: string, session: Session): Promise<string> {
  const names = await knownNames("agent", session);
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

/** Returns an error handler for a request that names a version of a workflow. It reports an unknown version with the latest one. */
export const orLatest = (api: ApiClient, workflowId: string) =>
  orSay("workflow-not-found", async () => {
    const { workflows } = await api.call("listWorkflows", { limit: 200 });
    const there = workflows.find(({ workflow_id }) => workflow_id === workflowId);
    return there && `${workflowId} has no such version. The latest is ${there.version}.`;
  });

/** Returns the error text for what is no reference, and no id of a task. */
export async function unknownReference(name: string, { api }: Session): Promise<string> {
  const { tasks: known } = await api().call("listTasks", { limit: 200 });
  const names = new Set(known.flatMap(({ task_id, correlation_id }) => [correlation_id, task_id]));
  return `No message and no task has the reference or id "${name}".${nearOrListed(name, [...names], "tasks")}`;
}

/** The beginning of an id, as lists show it. A whole id is longer. */
const beginning = /^(?=.{4,35}$)(?:inp_)?[\da-f-]*$/;

/**
 * Returns the one id of a kind that begins with what was typed; what was typed when there is none, or it is no beginning. Throws a `UsageError`
 * when there are several.
 */
export async function idOf(kind: string, typed: string, { api, listed }: Session): Promise<string> {
  const lists = listed.find((one) => one.kind === kind);
  if (lists?.isByBeginning !== true || !beginning.test(typed)) return typed;
  const found = await lists.read(api(), typed);
  if (found.length > 1 && !found.includes(typed))
    throw new UsageError(`Several begin with "${typed}": ${found.join(", ")}. Type more of the one that you mean.`);
  return found[0] ?? typed;
}

/** Returns true if a person in Slack asked for the run: its task, which has the same id, belongs to a team. */
export async function isFromSlack(api: ApiClient, { run_id: task_id }: WorkflowRunSummary): Promise<boolean> {
  const task = await api.call("getTask", { task_id }).catch(() => undefined);
  return task?.team !== undefined;
}
