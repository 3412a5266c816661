import {
  type AnswerInputResult,
  type InputAnswer,
  type InputOutcome,
  type InputRequest,
  type InputSchema,
  type InputValue,
  isInputState,
} from "@crosszone/contracts";
import { decidersText, shortId } from "@crosszone/service-kit/text";
import { orSay, readJson } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { cursorNotice, cursorOptions, namesOf, readList, readState } from "../program/options.ts";
import { didYouMean, UsageError } from "../program/session.ts";
import { inputStateText, inputText, receiptText } from "../text/input-text.ts";
import { shortDuration, harmlessLine } from "../text/terminal-text.ts";
import { findInput, personIn, taskIdOf } from "../program/unknown-names.ts";

export const decideApproval: Command = defineCommand({
  name: "approvals decide",
  summary: "Approves, denies or answers. A token decides only where the deciders name it.",
  operands: ["<approval>", "[answer]"],
  options: {
    reason: { flags: "--reason <text>", help: "why you approve or deny" },
    value: { flags: "--value <name=value>", multiple: true, help: "a field of a form; repeat it for each field" },
    json: jsonOption,
  },
  examples: [
    ["crosszone approvals decide inp_3f2a81c4 approve", "approve the action that the command shows"],
    ['crosszone approvals decide inp_3f2a81c4 deny --reason "wrong account"', "deny it, or decline any other request"],
    ["crosszone approvals decide inp_3f2a81c4 staging", "select an option by its value, or answer with a text"],
    ["crosszone approvals decide inp_3f2a81c4 --value days=3 --value paid=true", "fill in a form"],
  ],
  run: async ({ values, operands: [name = "", given] }, { api, stderr }) => {
    const { inputs } = api();
    const request = await findInput(inputs, name);
    const answer = readAnswer(request, { ...values, given });
    const { request_id, action } = request;
    const decided = inputs.answer(request_id, { answer, digest: action?.digest });
    const result = await decided.catch(orSay("not-a-decider", ({ detail, message }) => detail ?? message));
    if (values.json !== true) stderr.write(`${inputText(request)}\n`);
    return { json: result, text: `${harmlessLine(resultText(result))}\n`, isDone: isCounted(result.outcome) };
  },
});

const isCounted = (outcome: InputOutcome): boolean => outcome === "decided" || outcome === "counted";

function resultText({ outcome, input_request: request }: AnswerInputResult): string {
  const words = outcome.replaceAll("_", " ");
  const result = isCounted(outcome) ? words.replace(/^./, (first) => first.toUpperCase()) : `Not counted: ${words}`;
  return `${result}. The request is ${inputStateText(request)}.`;
}

/** Reads the answer to a request. Throws a `UsageError` that says which answers fit when this one doesn't. */
export function readAnswer(
  request: InputRequest,
  {
    given,
    reason,
    value: fields = [],
  }: { readonly given?: string; readonly reason?: string; readonly value?: readonly string[] },
): InputAnswer {
  const { kind, options = [], schema } = request;
  if (kind !== "form" && fields.length > 0) throw new UsageError(`--value fills in forms. ${wayToAnswer(request)}`);
  const isOption = options.some(({ value }) => value === given);
  if ((given === "approve" && kind === "approve") || (given === "deny" && !isOption)) return { verdict: given, reason };
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
    choose: [...new Set([...options.map(({ value }) => value), "deny"])].join(" or "),
    text: "a text, or deny",
    form: `--value name=value for each of ${fields.join(", ")}, or deny`,
  };
  return `Answer "${harmlessLine(title)}" with ${ways[kind]}.`;
}

/** Reads `name=value`. The zone checks the value: it knows the whole form. */
function readField(pair: string, { properties }: InputSchema): readonly [string, InputValue] {
  const [, name = "", text = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (name === "") throw new UsageError(`--value must be name=value, got "${pair}".`);
  const read = properties[name]?.type === "string" ? {} : readJson(text);
  return [name, "value" in read ? (read.value as InputValue) : text];
}

export const listApprovals: Command = defineCommand({
  name: "approvals list",
  summary: "Lists what tasks and runs need from people: approvals, choices, texts and forms. Latest change first.",
  options: {
    state: { flags: "--state <state>", help: `only those in this state: ${namesOf(isInputState).join(", ")}` },
    task: { flags: "--task <task>", help: "only those of this task" },
    ...cursorOptions,
    person: { flags: "--person <person>", help: "only what this person asked for, can decide or has decided" },
  },
  examples: [
    ["crosszone approvals list --waiting", "what waits for people, and for whom"],
    ["crosszone approvals list --waiting --person U0BOB000001", "what waits for one of them"],
  ],
  run: async ({ values: { state, task = "", person, waiting: open, ...values } }, session) => {
    const { inputs, tasks } = session.api();
    const list = await inputs.list({
      ...readList({ ...values, open }),
      person: person === undefined ? undefined : await personIn(person, session),
      state: readState(state, isInputState),
      task_id: (await taskIdOf(tasks, task)) || undefined,
    });
    const rows = list.input_requests.map((request) => {
      const { request_id, state: stands, created_at, title } = request;
      const age = shortDuration(Date.now() - Date.parse(created_at));
      return [shortId(request_id), stands, age, title, decidersText(request)];
    });
    const head = ["APPROVAL", "STATE", "AGE", "TITLE", "DECIDES"];
    return { json: list, text: { head, rows, none: "No approvals." }, notice: cursorNotice(list.next_cursor) };
  },
});

export const showApproval: Command = defineCommand({
  name: "approvals show",
  summary: "Shows an approval: the whole action or question, the deciders, and all votes.",
  operands: ["<approval>"],
  options: { json: jsonOption },
  examples: [["crosszone approvals show inp_3f2a81c4", "by its id, or the beginning of it"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const request = await findInput(api().inputs, name);
    return { json: request, text: inputText(request) };
  },
});

export const approvalReceipt: Command = defineCommand({
  name: "approvals receipt",
  summary: "Prints a decision, and the proof that the signed audit log has it.",
  operands: ["<approval>"],
  options: { json: jsonOption },
  examples: [["crosszone approvals receipt inp_3f2a81c4 --json > receipt.json", "a file for crosszone audit verify"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const { inputs } = api();
    const request = await findInput(inputs, name);
    const receipt = await inputs.receipt(request.request_id);
    return { json: receipt, text: receiptText(request, receipt) };
  },
});

export const withdrawApproval: Command = defineCommand({
  name: "approvals withdraw",
  summary: "Withdraws an open approval. What waits for it continues as if it was denied.",
  operands: ["<approval>"],
  options: {
    reason: { flags: "--reason <text>", help: "why, for the people who were asked and the requester" },
    json: jsonOption,
  },
  examples: [["crosszone approvals withdraw inp_3f2a81c4", "close it without a decision"]],
  run: async ({ values: { reason }, operands: [name = ""] }, { api }) => {
    const { inputs } = api();
    const { request_id } = await findInput(inputs, name);
    const request = await inputs.withdraw(request_id, reason === undefined ? {} : { reason });
    const text = `${harmlessLine(request.title)}: ${harmlessLine(inputStateText(request))}\n`;
    return { json: request, text, isDone: request.state === "withdrawn" };
  },
});
