import { type InputAnswer, type InputRequest, isInputAnswer, problemsOf, ZoneError } from "@crosszone/contracts";
import { type ElicitRequestFormParams, inputRequired, type InputRequests } from "@modelcontextprotocol/server";
import type { AskedTask } from "../../ask/asked-task.ts";
import type { McpCall } from "./mcp-call.ts";
import { plainText } from "./plain-text.ts";

/** Whether a program can answer a request of its task. It is the requester, and for an approval the request has to name it, too. */
export const canAnswer = ({ kind, decide }: InputRequest, actor: string): boolean =>
  decide.requester && (kind !== "approve" || decide.people.includes(actor));

/** Whether a client may ask its person. A client could approve by itself. */
const canElicit = (input: InputRequest, actor: string): boolean => input.kind !== "approve" && canAnswer(input, actor);

/** Returns the open requests of a task that its program's person can answer, as MCP asks them, by their ids. */
export function elicitationsOf({ inputs }: AskedTask, actor: string): InputRequests {
  const own = inputs.filter((input) => canElicit(input, actor));
  return Object.fromEntries(own.map((input) => [input.request_id, inputRequired.elicit(elicitationOf(input))]));
}

function elicitationOf(input: InputRequest): Omit<ElicitRequestFormParams, "mode"> {
  const { agent, title, body = "" } = input;
  const message = `${plainText(agent, 100)} asks: ${plainText(title, 200)}${body && `\n\n${plainText(body, 2_000)}`}`;
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
  { inputs }: AskedTask,
  responses: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const own = inputs.filter((input) => canElicit(input, asker.actor));
  const answers = own.flatMap((input) => {
    const answer = answerIn(input, responses[input.request_id]);
    return answer === undefined ? [] : [{ id: input.request_id, answer: readAnswer(answer) }];
  });
  for (const { id, answer } of answers) await ask.answer(request, id, { answer });
  return answers.length > 0;
}

function answerIn({ kind }: InputRequest, response: unknown): object | undefined {
  const { action, content } = (response ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { verdict: "deny" };
  if (action !== "accept") return undefined;
  return kind === "form" ? { verdict: "answer", values: content } : { ...(content as object), verdict: "answer" };
}

/** Returns an answer. Throws `invalid_params` for one that has a wrong form. */
export function readAnswer(answer: object): InputAnswer {
  if (isInputAnswer(answer)) return answer;
  throw new ZoneError("invalid_params", { problems: problemsOf(isInputAnswer, answer) });
}
