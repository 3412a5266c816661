import { type HitlQuestion, type HitlRequest, hitlUri, readHitlRequest } from "@crosszone/agent-bridge";
import { codeBlock } from "@crosszone/builtin-agent";
import { type AgentResult, type AgentTask, type InputField, type InputRequest, ZoneError } from "@crosszone/contracts";
import { type JsonObject, ownMember } from "@crosszone/service-kit/json";
import { type AgentQuestion, type AskedInput, type RunInputs, TaskPaused } from "../agent.ts";
import { uuidOf } from "../conversations.ts";
import { questionOf, saysOf, shownOf } from "../result-answer.ts";

type WordsRequest = AgentQuestion & { readonly type: "words" };

/** A task of an agent that waits for people, as its next run needs it: what the agent asked, and the number of its pause within the task. */
interface AgentPause<Request = HitlRequest | WordsRequest> {
  readonly request: Request;
  /** Its number within the task, from 1. An agent may use its ids again. */
  readonly number: number;
  /** What the agent says about it. */
  readonly says?: string | undefined;
  /** The agent's own ids of its task and of its conversation. An agent may ask in words without the first. */
  readonly open_task_id?: string | undefined;
  readonly context_id?: string | undefined;
  /** Present while an agent's task waits for an authorization, after which it goes on by itself. */
  readonly waits?: AuthorizationWait | undefined;
}

/** How often the agent's task was looked at, and since when it waits, ISO 8601. `in_thread`: a person reads its words in the thread, and can reply there. */
interface AuthorizationWait {
  readonly looks: number;
  readonly since: string;
  readonly in_thread: boolean;
}

/** The shortest and the longest pause between two looks at a task that waits for an authorization, and how long a person's task waits, milliseconds. */
const [firstLookMs, longestLookMs, longestWaitMs] = [5_000, 300_000, 86_400_000];

/** Some agents store a task only when it ends. Until this look, one that does not know its task has not lost it. */
const lastEarlyLook = 10;

/** Returns the pause before the next look: each is a quarter longer than the previous one. */
const lookAgainMs = ({ looks }: AuthorizationWait): number => Math.min(longestLookMs, firstLookMs * 1.25 ** looks);

type NumberedRequest<Request = HitlRequest | WordsRequest> = AgentPause<Request> & { readonly agent: string };

/** The most input requests that a task can wait for, fields of a form, and options (`schemas/input`). */
const most = { requests: 20, fields: 10, options: 25 };
const longest = { line: 150, label: 75, tool: 255, body: 12_000 };

/** Returns the key of one decision on a request. */
const inputKey = ({ number }: { readonly number: number }, index: number): string => `a2a.${number}.${index}`;

/**
 * Returns what people are asked: an approval for each tool; one choice or text, or a form for several questions. Throws an
 * `agent_invalid_response` when the request is too large for people.
 */
function askedInputs(asked: NumberedRequest): readonly AskedInput[] {
  const { agent, request, says } = asked;
  if (request.type === "words") return [inputOfWords(asked, request)];
  if (request.type === "ask_user") return [questionsOf(asked, request.questions)];
  const { tools, subagent, hint } = request;
  if (tools.length > most.requests || tools.some(({ name }) => name.length > longest.tool)) throw tooLarge(agent);
  const through = subagent === undefined ? "" : ` through ${subagent}`;
  return tools.map(({ name, args }, index) => ({
    key: inputKey(asked, index),
    kind: "approve",
    ...wordsOf(`Allow ${agent} to call ${name}${through}?`, [says ?? hint]),
    action: { agent, tool: name, arguments: args },
  }));
}

/** Only the requester answers, whatever the approval policy says: the agent talks to it alone. */
function inputOfWords(asked: NumberedRequest, { text, data }: WordsRequest): AskedInput {
  const [title = text] = (asked.says ?? text).trim().split("\n");
  const shown = data.map((one) => codeBlock(JSON.stringify(one, null, 2), "json"));
  const decide = { people: [], groups: [], requester: true, approve: 1, deny: 1 };
  return { key: inputKey(asked, 0), kind: "text", ...wordsOf(title, [[text, ...shown].join("\n\n")]), decide };
}

const tooLarge = (agent: string): ZoneError => new ZoneError("agent_invalid_response", { agent });

function questionsOf(asked: NumberedRequest, questions: readonly HitlQuestion[]): AskedInput {
  const [first] = questions;
  const key = inputKey(asked, 0);
  const listed = questions.map(({ question, choices }) => [question, ...choices.map((one) => `- ${one}`)].join("\n"));
  if (questions.length > most.fields || first === undefined) throw tooLarge(asked.agent);
  if (questions.length > 1 || first.multiple) {
    const fields = formFields(questions);
    const properties = Object.fromEntries(fields.map(({ name, field }) => [name, field]));
    const required = fields.filter(({ choice }) => choice === undefined).map(({ name }) => name);
    const title = questions.length === 1 ? first.question : `${asked.agent} asks ${questions.length} questions`;
    const schema = { type: "object" as const, properties, required };
    return { key, kind: "form", ...wordsOf(title, [asked.says, ...listed]), schema };
  }
  const { question } = first;
  if (!areOptions(first.choices)) return { key, kind: "text", ...wordsOf(question, [asked.says, ...listed]) };
  const options = first.choices.map((choice) => ({ value: choice, label: choice }));
  return { key, kind: "choose", ...wordsOf(question, [asked.says, question]), options };
}

/** A field of a form. With a choice, a yes adds the choice to the answer of its question. */
interface FormField {
  readonly name: string;
  /** Index of the question. */
  readonly question: number;
  readonly choice?: string;
  readonly field: InputField;
}

/** Returns the fields of a form, one for each question, or for each choice where several can be chosen and all fields fit. */
function formFields(questions: readonly HitlQuestion[]): readonly FormField[] {
  const whole = questions.map(({ question, choices, multiple }, at): FormField => {
    const offered = areOptions(choices) && !multiple && { enum: [...choices] as [string, ...string[]] };
    return { name: `q${at + 1}`, question: at, field: { type: "string", title: lineOf(question), ...offered } };
  });
  const split = questions.flatMap(({ question, choices, multiple }, at): readonly FormField[] => {
    if (!multiple || choices.length === 0) return whole.slice(at, at + 1);
    return choices.map((choice, index) => {
      const title = lineOf(questions.length === 1 ? choice : `${choice} (${question})`);
      return { name: `q${at + 1}_${index + 1}`, question: at, choice, field: { type: "boolean", title } };
    });
  });
  return split.length > most.fields ? whole : split;
}

const areOptions = (choices: readonly string[]): boolean =>
  choices.length > 0 && choices.length <= most.options && choices.every((choice) => choice.length <= longest.label);

function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return (line.length > longest.line ? `${line.slice(0, longest.line - 1)}…` : line).toWellFormed();
}

/** Returns a title and a body, which does not repeat it. */
function wordsOf(title: string, texts: readonly (string | undefined)[]) {
  const line = lineOf(title);
  const others = texts.filter((text) => text !== undefined && text !== line);
  const body = [...new Set(others)].join("\n\n").slice(0, longest.body);
  return { title: line, body: body.toWellFormed() || undefined };
}

/** Returns what the last run waited for; undefined when it did not wait for an agent. */
const pauseIn = (inputs: RunInputs | undefined): AgentPause | undefined =>
  ownMember(inputs?.continuation, "agent_pause") as AgentPause | undefined;

const pausedBy = (agent: string, pause: AgentPause): TaskPaused =>
  new TaskPaused(pause.waits?.in_thread === true ? [] : askedInputs({ agent, ...pause }), {
    continuation: { agent_pause: pause },
    agentWaits: true,
    text: pause.says,
    question: pause.request.type === "words" ? pause.request : undefined,
    lookAgainMs: pause.waits && lookAgainMs(pause.waits),
  });

/**
 * Returns the error that pauses a task until people have decided what its result asks; an `agent_invalid_response` when that can't be
 * understood. `inputs` are those of the run that got the result.
 */
export function pauseOf(
  result: AgentResult,
  { agent_name: agent, context_id: ours }: AgentTask,
  { inputs, now, inThread }: { readonly inputs: RunInputs | undefined; readonly now: Date; readonly inThread: boolean },
): TaskPaused | ZoneError {
  const { open_task_id, context_id: theirs } = result;
  const data = result.error?.data;
  const asks = ownMember(data, "asks");
  const words = asks === undefined ? questionOf(result) : undefined;
  const request = words === undefined ? readHitlRequest(asks) : { type: "words" as const, ...words };
  if (request === undefined || (words === undefined && open_task_id === undefined))
    return new ZoneError("agent_invalid_response", { agent });
  const context_id = (ownMember(data, "context_id") as string | undefined) ?? theirs ?? ours;
  const number = (pauseIn(inputs)?.number ?? 0) + 1;
  const says = words === undefined ? shownOf(data) : inThread ? `${words.text}\n\n${goesOn}` : saysOf(data);
  const isFollowed = words?.awaits === "authorization" && open_task_id !== undefined;
  const waits = isFollowed ? { looks: 0, since: now.toISOString(), in_thread: inThread } : undefined;
  return pausedBy(agent, { number, request, says, open_task_id, context_id, waits });
}

const goesOn = "_Once that is done, I go on by myself. You can also reply in this thread._";

/** Returns whether a result waits for an authorization at the agent, so that its task goes on by itself. */
export const isAuthorization = ({ error, open_task_id }: AgentResult): boolean =>
  error?.kind === "auth_required" && open_task_id !== undefined;

/**
 * Returns how to look at a task that waits for an authorization, after a pause; undefined when the last run waited for something else, or a reply
 * came. `again` waits on, `task` replaces members of the agent's task, which is not sent, `goesOn` says whether a result means that it still
 * waits, and `isOver` that a person's task has waited long enough.
 */
export function lookOf(
  agent: string,
  taskId: string,
  { inputs, now }: { readonly inputs: RunInputs; readonly now: Date },
) {
  const pause = pauseIn(inputs);
  if (pause?.waits === undefined || inputs.decided.has(inputKey(pause, 0))) return undefined;
  const { waits, open_task_id, context_id } = pause;
  const looks = waits.looks + 1;
  const id = uuidOf(JSON.stringify([taskId, "look", pause.number, looks]));
  return {
    task: { run_id: id, task_id: id, input_data: { text: "" }, context_id, open_task_id, files: undefined },
    again: pausedBy(agent, { ...pause, waits: { ...waits, looks } }),
    inThread: waits.in_thread,
    goesOn: (result: AgentResult): boolean =>
      isAuthorization(result) ||
      result.error?.retryable === true ||
      (result.error?.kind === "task_lost" && looks <= lastEarlyLook),
    isOver: waits.in_thread && now.getTime() - Date.parse(waits.since) > longestWaitMs,
  };
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
async function hitlResponse(asked: NumberedRequest<HitlRequest>, { decided, use }: RunInputs): Promise<JsonObject> {
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
  // A person who denied is handled before.
  ["denied", "Nobody who can decide can be reached."],
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
