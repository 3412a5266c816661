import type {
  AnswerInputResult,
  InputAnswer,
  InputOutcome,
  InputRequest,
  InputSchema,
  InputValue,
} from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { didYouMean, UsageError } from "../program/errors.ts";
import { inputStateText, inputText } from "../text/input-text.ts";
import { readJson } from "../text/read-json.ts";
import { harmlessLine } from "../text/terminal-text.ts";
import { findInput } from "./unknown-names.ts";

export const answerInput: Command = defineCommand({
  name: "inputs answer",
  summary: "Answers an input request. A token decides only requests whose deciders name it.",
  operands: ["<input request>", "[answer]"],
  options: {
    reason: { flags: "--reason <text>", help: "why you approve or deny" },
    value: { flags: "--value <name=value>", multiple: true, help: "a field of a form; repeat it for each field" },
    json: jsonOption,
  },
  examples: [
    ["crosszone inputs answer inp_3f2a approve", "approve the action that the command shows"],
    ['crosszone inputs answer inp_3f2a deny --reason "wrong account"', "deny it, or decline any other request"],
    ["crosszone inputs answer inp_3f2a staging", "select an option by its value, or answer with a text"],
    ["crosszone inputs answer inp_3f2a --value days=3 --value paid=true", "fill in a form"],
  ],
  run: async ({ values, operands: [name = "", given] }, { api, stderr }) => {
    const { inputs } = api();
    const request = await findInput(inputs, name);
    const answer = readAnswer(request, { ...values, given });
    if (values.json !== true) stderr.write(`${inputText(request)}\n`);
    const result = await inputs.answer(request.request_id, { answer, digest: request.action?.digest });
    return { json: result, text: `${harmlessLine(resultText(result))}\n`, isDone: isCounted(result.outcome) };
  },
});

const isCounted = (outcome: InputOutcome): boolean => outcome === "decided" || outcome === "counted";

function resultText({ outcome, input_request: request }: AnswerInputResult): string {
  const words = outcome.replaceAll("_", " ");
  const result = isCounted(outcome) ? words.replace(/^./, (first) => first.toUpperCase()) : `Not counted: ${words}`;
  return `${result}. The request is ${inputStateText(request)}.`;
}

interface GivenAnswer {
  readonly given?: string | undefined;
  readonly reason?: string | undefined;
  readonly value?: readonly string[] | undefined;
}

/** Reads the answer to a request. Throws a `UsageError` that says which answers fit when this one doesn't. */
export function readAnswer(request: InputRequest, { given, reason, value: fields = [] }: GivenAnswer): InputAnswer {
  const { kind, options = [], schema } = request;
  if (kind !== "form" && fields.length > 0) throw new UsageError(`--value fills in forms. ${wayToAnswer(request)}`);
  const isOption = options.some(({ value }) => value === given);
  if ((given === "approve" && kind === "approve") || (given === "deny" && !isOption))
    return { verdict: given, ...(reason !== undefined && { reason }) };
  if (reason !== undefined) throw new UsageError("--reason goes with approve or deny.");
  if (kind === "form" && given === undefined && schema !== undefined && fields.length > 0)
    return { verdict: "answer", values: Object.fromEntries(fields.map((field) => readField(field, schema))) };
  if ((kind === "choose" && isOption) || (kind === "text" && given)) return { verdict: "answer", value: given };
  const near = didYouMean(given ?? "", kind === "approve" ? verdicts : options.map(({ value }) => value));
  throw new UsageError(`${wayToAnswer(request)}${near}`);
}

const verdicts = ["approve", "deny"];

function wayToAnswer({ kind, title, options = [], schema }: InputRequest): string {
  const fields = Object.keys(schema?.properties ?? {});
  const ways = {
    approve: "approve or deny",
    choose: listOf(options.map(({ value }) => value)),
    text: "a text, or deny",
    form: `--value name=value for each of ${fields.join(", ")}, or deny`,
  };
  return `Answer "${harmlessLine(title)}" with ${ways[kind]}.`;
}

const listOf = (values: readonly string[]): string => [...new Set([...values, "deny"])].join(" or ");

/** Reads `name=value`. The zone checks the value: it knows the whole form. */
function readField(pair: string, { properties }: InputSchema): readonly [string, InputValue] {
  const [, name = "", text = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (name === "") throw new UsageError(`--value must be name=value, got "${pair}".`);
  const read = properties[name]?.type === "string" ? {} : readJson(text);
  return [name, "value" in read ? (read.value as InputValue) : text];
}
