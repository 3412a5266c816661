import { hitlUri, readHitlRequest, type HitlQuestion, type HitlRequest } from "@crosszone/agent-bridge";
import { type AgentResult, type AgentTask, type InputRequest, ZoneError } from "@crosszone/contracts";
import { ownMember, type JsonObject } from "@crosszone/service-kit/json";
import { questionOf, saysOf, shownOf } from "../answers/result-answer.ts";
import { uuidOf } from "../conversations.ts";
import { type RunInputs, TaskPaused } from "../task-paused.ts";
import { type AgentRequest, askedInputs, inputKey, formFields } from "./asked-inputs.ts";

/** A task of an agent that waits for people, as its next run needs it. */
interface AgentPause extends Omit<AgentRequest, "agent"> {
  /** The agent's own ids of its task and of its conversation. An agent may ask in words without the first. */
  readonly open_task_id?: string | undefined;
  readonly context_id?: string | undefined;
}

/** Returns what the last run waited for; undefined when it did not wait for an agent. */
const pauseIn = (inputs: RunInputs | undefined): AgentPause | undefined =>
  ownMember(inputs?.continuation, "agent_pause") as AgentPause | undefined;

const pausedBy = (agent: string, pause: AgentPause): TaskPaused =>
  new TaskPaused(askedInputs({ agent, ...pause }), {
    continuation: { agent_pause: pause },
    ...(pause.says !== undefined && { text: pause.says }),
    ...(pause.request.type === "words" && { question: pause.request }),
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
  const asks = ownMember(data, "asks");
  const words = asks === undefined ? questionOf({ error }) : undefined;
  const request = words === undefined ? readHitlRequest(asks) : { type: "words" as const, ...words };
  if (request === undefined || (words === undefined && open_task_id === undefined))
    return new ZoneError("agent_invalid_response", { agent });
  const context_id = (ownMember(data, "context_id") as string | undefined) ?? theirs ?? ours;
  const number = (pauseIn(inputs)?.number ?? 0) + 1;
  const says = words === undefined ? shownOf(data) : saysOf(data);
  return pausedBy(agent, { number, request, says, open_task_id, context_id });
}

/** Returns the id of the call that answers a pause: the same when it runs again, so that the bridge recognizes it. */
const responseId = (taskId: string, number: number): string => uuidOf(JSON.stringify([taskId, "response", number]));

/**
 * Returns the members of the agent's task that answer what the last run waited for; undefined when it waited for nothing. Uses approvals,
 * so the task must be sent next. Throws `TaskPaused` again while one of the requests is open, and a `ZoneError` when a question in words was
 * not answered.
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
  const { request, number, open_task_id, context_id } = pause;
  const id = responseId(taskId, number);
  const input_data =
    request.type === "words"
      ? { text: replyIn(inputs.decided.get(inputKey(pause, 0)), agent) }
      : // The text is no verdict: an agent that reads only the text must not take it for a yes.
        {
          text: "The decision is in this message's metadata.",
          [hitlUri]: await hitlResponse({ agent, ...pause, request }, inputs),
        };
  return { run_id: id, task_id: id, input_data, context_id, open_task_id, files: undefined };
}

/** Returns the reply to a question in words. An agent could take any other text for one, so without a reply the task ends. */
function replyIn(decision: InputRequest | undefined, agent: string): string {
  if (decision?.answer?.verdict === "answer") return decision.answer.value ?? "";
  if (decision?.state !== "expired") throw new ZoneError("canceled");
  throw new ZoneError("timeout", { agent, agent_says: `My question was not answered by ${decision.expires_at}.` });
}

/** Returns the ids of the calls that a task may have made when it was paused at most this often. */
export const callIdsOf = (taskId: string, pauses: number): readonly string[] => [
  taskId,
  ...Array.from({ length: pauses }, (_, index) => responseId(taskId, index + 1)),
];

/**
 * Returns the response to a request whose inputs are decided, and uses the approvals in it. Anything but an approval that is used now
 * rejects its tool. The agent learns the verdicts and their reasons, and nothing about the people.
 */
async function hitlResponse(
  asked: AgentRequest<HitlRequest>,
  { decided, use }: Pick<RunInputs, "decided" | "use">,
): Promise<JsonObject> {
  const { request } = asked;
  if (request.type === "ask_user") {
    const answers = answersTo(request.questions, decided.get(inputKey(asked, 0)));
    return { type: "ask_user_response", id: request.id, answers: answers.map((answer) => ({ answer })) };
  }
  const approvals: JsonObject[] = [];
  for (const [index, { key, action }] of askedInputs(asked).entries()) {
    const decision = decided.get(key);
    const isApproved = decision?.state === "approved" || decision?.state === "used";
    const verdict = isApproved && action !== undefined ? await use(key, action) : decision?.state;
    const approved = verdict === "allowed" || verdict === "again";
    const rejection_reason = approved ? undefined : reasonOf(decision, verdict);
    approvals.push({ id: request.tools[index]?.id, approved, ...(rejection_reason && { rejection_reason }) });
  }
  return { type: "tool_approval_response", approvals };
}

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["expired", "No decision was made in time."],
  ["withdrawn", "The request was withdrawn."],
  ["void", "The approval was not used in time."],
  ["changed", "The call is not the one that was approved."],
]);

/** Returns why there is no approval or answer; undefined for a denial without a reason. */
const reasonOf = (decision: InputRequest | undefined, verdict: string | undefined): string | undefined =>
  decision?.answer?.verdict === "deny" ? decision.answer.reason : reasons.get(verdict);

/** Returns the answers to each question. The protocol has no refusal, so without a reply each says why. */
function answersTo(
  questions: readonly HitlQuestion[],
  decision: InputRequest | undefined,
): readonly (readonly string[])[] {
  if (decision?.answer?.verdict !== "answer")
    return questions.map(() => [`No answer. ${reasonOf(decision, decision?.state) ?? "The person declined."}`]);
  const { value, values = {} } = decision.answer;
  if (value !== undefined) return [[value]];
  const fields = formFields(questions);
  return questions.map((_question, at) =>
    fields
      .filter(({ question, name }) => question === at && (values[name] ?? false) !== false)
      .map(({ name, choice }) => choice ?? String(values[name])),
  );
}
