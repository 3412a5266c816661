import type { HitlQuestion, HitlRequest } from "@crosszone/agent-bridge";
import { codeBlock } from "@crosszone/builtin-agent";
import { type InputField, ZoneError } from "@crosszone/contracts";
import type { AgentQuestion, AskedInput } from "../task-paused.ts";

export type WordsRequest = AgentQuestion & { readonly type: "words" };

/** What an agent asked, and the number of its pause within the task. */
export interface AgentRequest<Request = HitlRequest | WordsRequest> {
  readonly agent: string;
  readonly request: Request;
  /** Its number within the task, from 1. An agent may use its ids again. */
  readonly number: number;
  /** What the agent says about it. */
  readonly says?: string | undefined;
}

/** The most input requests that a task can wait for, fields of a form, and options (`schemas/input`). */
const most = { requests: 20, fields: 10, options: 25 };
const longest = { line: 150, label: 75, tool: 255, body: 12_000 };

/** Returns the key of one decision on a request. */
export const inputKey = ({ number }: Pick<AgentRequest, "number">, index: number): string => `a2a.${number}.${index}`;

/**
 * Returns what people are asked: an approval for each tool; one choice or text, or a form for several questions. Throws an
 * `agent_invalid_response` when the request is too large for people.
 */
export function askedInputs(asked: AgentRequest): readonly AskedInput[] {
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
function inputOfWords(asked: AgentRequest, { text, data }: WordsRequest): AskedInput {
  const [title = text] = (asked.says ?? text).trim().split("\n");
  const shown = data.map((one) => codeBlock(JSON.stringify(one, null, 2), "json"));
  const decide = { people: [], groups: [], requester: true, approve: 1, deny: 1 };
  return { key: inputKey(asked, 0), kind: "text", ...wordsOf(title, [[text, ...shown].join("\n\n")]), decide };
}

const tooLarge = (agent: string): ZoneError => new ZoneError("agent_invalid_response", { agent });

function questionsOf(asked: AgentRequest, questions: readonly HitlQuestion[]): AskedInput {
  const [first] = questions;
  const key = inputKey(asked, 0);
  const listed = questions.map(({ question, choices }) => listOf(question, choices));
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
export interface FormField {
  readonly name: string;
  /** Index of the question. */
  readonly question: number;
  readonly choice?: string;
  readonly field: InputField;
}

/** Returns the fields of a form, one for each question, or for each choice where several can be chosen and all fields fit. */
export function formFields(questions: readonly HitlQuestion[]): readonly FormField[] {
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

const listOf = (question: string, choices: readonly string[]): string =>
  [question, ...choices.map((choice) => `- ${choice}`)].join("\n");

function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return (line.length > longest.line ? `${line.slice(0, longest.line - 1)}…` : line).toWellFormed();
}

/** Returns a title and a body, which does not repeat it. */
function wordsOf(
  title: string,
  texts: readonly (string | undefined)[],
): { readonly title: string; readonly body?: string } {
  const line = lineOf(title);
  const others = texts.filter((text) => text !== undefined && text !== line);
  const body = [...new Set(others)].join("\n\n").slice(0, longest.body);
  return { title: line, ...(body !== "" && { body: body.toWellFormed() }) };
}
