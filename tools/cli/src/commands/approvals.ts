import type {
  AnswerInputResult,
  InputAnswer,
  InputOutcome,
  InputRequest,
  InputSchema,
  InputValue,
} from "@crosszone/contracts";
import { decidersText, shortId } from "@crosszone/service-kit/text";
import { orSay, readJson } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { actRow, listRow } from "../program/row.ts";
import { didYouMean, UsageError } from "../program/session.ts";
import { inputStateText, inputText, receiptText } from "../text/input-text.ts";
import { shortDuration, harmlessLine } from "../text/terminal-text.ts";
import { personIn } from "./ask/tasks.ts";
import { idOf } from "../program/unknown-names.ts";

const decideApproval: Command = defineCommand({
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
  run: async ({ values, operands: [typed = "", given] }, session) => {
    const api = session.api();
    const request_id = await idOf("approval", typed, session);
    const request = await api.call("getInputRequest", { request_id });
    const answer = readAnswer(request, { ...values, given });
    const body = { answer, digest: request.action?.digest };
    const decided = api.call("answerInputRequest", { request_id, body });
    const result = await decided.catch(orSay("not-a-decider", ({ detail, message }) => detail ?? message));
    if (values.json !== true) session.stderr.write(`${inputText(request)}\n`);
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

const listApprovals = listRow({
  name: "approvals list",
  operation: "listInputRequests",
  summary: "Lists what tasks and runs need from people: approvals, choices, texts and forms. Latest change first.",
  options: {
    person: { flags: "--person <person>", help: "only what this person asked for, can decide or has decided" },
    waiting: { flags: "--waiting", help: "only what waits for people" },
  },
  examples: [
    ["crosszone approvals list --waiting", "what waits for people, and for whom"],
    ["crosszone approvals list --waiting --person U0BOB000001", "what waits for one of them"],
  ],
  ask: async ({ values: { person, waiting }, session }) => ({
    ...(person !== undefined && { person: await personIn(person, session) }),
    ...(waiting === true && { open: true }),
  }),
  of: (list) => list.input_requests,
  columns: (request) => ({
    APPROVAL: shortId(request.request_id),
    STATE: request.state,
    AGE: shortDuration(Date.now() - Date.parse(request.created_at)),
    TITLE: request.title,
    DECIDES: decidersText(request),
  }),
  none: "No approvals.",
  names: { kind: "approval", of: (request) => request.request_id, refusal: "input-request-not-found" },
});

const approval = { request_id: "<approval>" };

const showApproval = actRow({
  name: "approvals show",
  operation: "getInputRequest",
  summary: "Shows an approval: the whole action or question, the deciders, and all votes.",
  operands: approval,
  examples: [["crosszone approvals show inp_3f2a81c4", "by its id, or the beginning of it"]],
  show: inputText,
});

const approvalReceipt = actRow({
  name: "approvals receipt",
  operation: "getInputReceipt",
  summary: "Prints a decision, and the proof that the signed audit log has it.",
  operands: approval,
  examples: [["crosszone approvals receipt inp_3f2a81c4 --json > receipt.json", "a file for crosszone audit verify"]],
  show: async (receipt, { api, asked }) => receiptText(await api.callWith("getInputRequest", asked), receipt),
});

const withdrawApproval = actRow({
  name: "approvals withdraw",
  operation: "withdrawInputRequest",
  summary: "Withdraws an open approval. What waits for it continues as if it was denied.",
  operands: approval,
  examples: [["crosszone approvals withdraw inp_3f2a81c4", "close it without a decision"]],
  show: (request) => ({
    text: `${harmlessLine(request.title)}: ${harmlessLine(inputStateText(request))}\n`,
    isDone: request.state === "withdrawn",
  }),
});

/** In the order of the help. */
export const approvalCommands: readonly Command[] = [
  listApprovals,
  showApproval,
  decideApproval,
  approvalReceipt,
  withdrawApproval,
];
