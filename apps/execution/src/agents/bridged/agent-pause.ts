import { hitlUri, readHitlRequest } from "@crosszone/agent-bridge";
import { type AgentResult, type AgentTask, ZoneError } from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { saysOf } from "../answers/result-answer.ts";
import { uuidOf } from "../conversations.ts";
import { type RunInputs, TaskPaused } from "../task-paused.ts";
import { type AgentRequest, askedInputs } from "./asked-inputs.ts";
import { hitlResponse } from "./hitl-response.ts";

/** A task of an agent that waits for people, as its next run needs it. */
interface AgentPause extends Omit<AgentRequest, "agent"> {
  /** The agent's own ids of its task and of its conversation. */
  readonly open_task_id: string;
  readonly context_id?: string | undefined;
}

/** Returns what the last run waited for; undefined when it did not wait for an agent. */
const pauseIn = (inputs: RunInputs | undefined): AgentPause | undefined =>
  ownMember(inputs?.continuation, "agent_pause") as AgentPause | undefined;

const pausedBy = (agent: string, pause: AgentPause): TaskPaused =>
  new TaskPaused(askedInputs({ agent, ...pause }), {
    continuation: { agent_pause: pause },
    ...(pause.says !== undefined && { text: pause.says }),
  });

/**
 * Returns the error that pauses a task until people have decided what its result asks; an `agent_invalid_response` when that can't be
 * understood. `inputs` are those of the run that got the result.
 */
export function pauseOf(
  { error, open_task_id, context_id: theirs }: AgentResult,
  { agent_name: agent, context_id: ours }: AgentTask,
  inputs: RunInputs | undefined,
): TaskPaused | ZoneError {
  const data = error?.data;
  const request = readHitlRequest(ownMember(data, "asks"));
  if (request === undefined || open_task_id === undefined) return new ZoneError("agent_invalid_response", { agent });
  const context_id = (ownMember(data, "context_id") as string | undefined) ?? theirs ?? ours;
  const number = (pauseIn(inputs)?.number ?? 0) + 1;
  return pausedBy(agent, { number, request, says: saysOf(data), open_task_id, context_id });
}

/** Returns the id of the call that answers a pause: the same when it runs again, so that the bridge recognizes it. */
const responseId = (taskId: string, number: number): string => uuidOf(JSON.stringify([taskId, "response", number]));

/**
 * Returns the members of the agent's task that answer what the last run waited for; undefined when it waited for nothing. Uses approvals,
 * so the task must be sent next. Throws `TaskPaused` again while one of the requests is open.
 */
export async function responseTask(
  agent: string,
  taskId: string,
  inputs: RunInputs,
): Promise<Partial<AgentTask> | undefined> {
  const pause = pauseIn(inputs);
  if (pause === undefined) return undefined;
  const again = pausedBy(agent, pause);
  if (again.awaited.some((asked) => "key" in asked && !inputs.decided.has(asked.key))) throw again;
  const response = await hitlResponse({ agent, ...pause }, inputs);
  const { open_task_id, context_id } = pause;
  const id = responseId(taskId, pause.number);
  // The text is no verdict: an agent that reads only the text must not take it for a yes.
  const input_data = { text: "The decision is in this message's metadata.", [hitlUri]: response };
  return { run_id: id, task_id: id, input_data, context_id, open_task_id, files: undefined };
}

/** Returns the ids of the calls that a task may have made when it was paused at most this often. */
export const callIdsOf = (taskId: string, pauses: number): readonly string[] => [
  taskId,
  ...Array.from({ length: pauses }, (_, index) => responseId(taskId, index + 1)),
];
