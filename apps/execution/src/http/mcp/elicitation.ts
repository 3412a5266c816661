import { type InputAnswer, type InputRequest, isInputAnswer, problemsOf, ZoneError } from "@crosszone/contracts";
import { type ElicitRequestFormParams, inputRequired, type InputRequests } from "@modelcontextprotocol/server";
import type { AskedTask } from "../../ask/asked-task.ts";
import { mayVote } from "../../inputs/voters.ts";
import type { McpCall, McpClient } from "./mcp-call.ts";
import { plainText } from "./plain-text.ts";

/** Whether a program can answer a request of its task. */
export const canAnswer = (request: InputRequest, actor: string): boolean =>
  mayVote(request, { user_id: actor, groups: [] }, "mcp");

/** Whether a client may ask its person. A client could approve by itself. */
const canElicit = (input: InputRequest, actor: string): boolean => input.kind !== "approve" && canAnswer(input, actor);

/** Returns the open requests of a task that its program's person can answer, as its client can ask them, by their ids. */
export function elicitationsOf(task: AskedTask, actor: string, client: McpClient): InputRequests {
  const url = client.opensLinks ? linkIn(task) : undefined;
  if (url === undefined && !client.elicits) return {};
  const own = task.inputs.filter((input) => canElicit(input, actor));
  const asked = own.map((input) => {
    const { message, requestedSchema } = elicitationOf(input);
    return url === undefined
      ? inputRequired.elicit({ message, requestedSchema })
      : inputRequired.elicitUrl({ message, url });
  });
  return Object.fromEntries(own.map(({ request_id }, at) => [request_id, asked[at]])) as InputRequests;
}

/** Returns the link that a person has to follow before the agent goes on. */
function linkIn({ question }: AskedTask): string | undefined {
  if (question?.awaits !== "authorization") return undefined;
  return /https?:\/\/[^\s"'<>()[\]`]*[^\s"'<>()[\]`.,;:!?]/.exec(
    `${question.text} ${JSON.stringify(question.data)}`,
  )?.[0];
}

function elicitationOf(input: InputRequest): Omit<ElicitRequestFormParams, "mode"> {
  const { agent, title, body = "" } = input;
  const [line, more] = [plainText(title, 200), plainText(body, 2_000)];
  // The body of a question in words contains it.
  const said = more.includes(line) ? more : `${line}${more && `\n\n${more}`}`;
  const message = `${plainText(agent, 100)} asks: ${said}`;
  return { message, requestedSchema: schemaOf(input) as ElicitRequestFormParams["requestedSchema"] };
}

function schemaOf({ kind, title, options = [], schema }: InputRequest) {
  if (kind === "form") return schema ?? { type: "object", properties: {} };
  const value = { type: "string", title: plainText(title, 200) };
  const oneOf = options.map(({ value: option, label }) => ({ const: option, title: plainText(label, 100) }));
  const properties = { value: kind === "choose" ? { ...value, oneOf } : value };
  return { type: "object", properties, required: ["value"] };
}

/**
 * Gives the answers of a person, by the ids of open requests. Ignores other ids, and requests that the person has dismissed. Returns whether
 * there were answers. Throws `invalid_params` for an answer that does not match its request.
 */
export async function answerElicited(
  { ask, request, asker }: McpCall,
  { inputs, question }: AskedTask,
  responses: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const own = inputs.filter((input) => canElicit(input, asker.actor));
  const answers = own.flatMap((input) => {
    const isOpened = question?.awaits === "authorization";
    const answer = answerIn(input, responses[input.request_id], isOpened ? "I have opened the link." : undefined);
    return answer === undefined ? [] : [{ id: input.request_id, answer: readAnswer(answer) }];
  });
  for (const { id, answer } of answers) await ask.answer(request, id, { answer });
  return answers.length > 0;
}

/** `value` is the answer when it has no content, as that of an opened link. */
function answerIn({ kind }: InputRequest, response: unknown, value: string | undefined): object | undefined {
  const { action, content } = (response ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { verdict: "deny" };
  if (action !== "accept") return undefined;
  if (kind === "form") return { verdict: "answer", values: content };
  return { ...(value !== undefined && { value }), ...(content as object | undefined), verdict: "answer" };
}

/** Returns an answer. Throws `invalid_params` for one that has a wrong form. */
export function readAnswer(answer: object): InputAnswer {
  if (isInputAnswer(answer)) return answer;
  throw new ZoneError("invalid_params", { problems: problemsOf(isInputAnswer, answer) });
}
