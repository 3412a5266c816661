import type { InputAnswer, InputRequest, InputSchema } from "@crosszone/contracts";
import { decidersSentence, decidersText, showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import type { Api } from "../api.ts";
import { type Confirmation, confirmed } from "../dialog.ts";
import { copyable, factList, idChip, stateChip, threadLink, timeMark } from "../frame.ts";
import { JsonView } from "../values.ts";
import { may, type User } from "../session.ts";
import { inputStates, personText, voteText } from "../words.ts";
import { askForAnswer } from "./answer-form.ts";

/** What a user can do to an open input request. `fill`: answer it with a text or a form. */
type InputAct = "withdraw" | "fill" | InputAnswer;

export interface InputListDeps {
  /** Unix milliseconds. */
  readonly now: number;
  readonly session: User;
  /** Whether the card is on the page of its run, which shows the thread and the requester (default false). */
  readonly isInRun?: boolean;
  readonly onInput: (request: InputRequest, act: InputAct) => void;
}

/** Lists input requests: open ones with who can decide, the others with their receipts. Nothing without any. */
export function inputList(title: string, requests: readonly InputRequest[], deps: InputListDeps): ComponentChild {
  if (requests.length === 0) return undefined;
  const cards = requests.map((request) =>
    approvalCard(request, h("h4", null, visibleLine(request.title)), { ...deps, isInRun: true }),
  );
  return h("section", { class: "part inputs", key: title, "aria-label": title }, h("h3", null, title), cards);
}

/** Shows an input request below its heading. The output of a run's step has the given values, without secrets. */
export function approvalCard(request: InputRequest, heading: ComponentChild, deps: InputListDeps): ComponentChild {
  const { agent, closed_because, created_at, decided_at, decision_event, expires_at, names, request_id } = request;
  const { requester, run_id, state, votes, withdraw_reason } = request;
  const { isInRun = false, now, session } = deps;
  const [words, look] = inputStates[state];
  const isOpen = state === "open";
  const where = [
    ["Asked by", agent],
    ["For", requester && personText(requester, names)],
    ["Thread", threadLink(request)],
    ["Run", run_id && h("a", { href: `/console/runs/${encodeURIComponent(run_id)}` }, idChip(run_id))],
  ] as const;
  const receipt = decision_event !== undefined && may(session, "audit:read");
  return h(
    "article",
    { class: "input", key: request_id, "data-state": look, "aria-label": visibleLine(request.title) },
    heading,
    h("p", null, stateChip(look, words)),
    contentOf(request),
    factList(
      [
        [isOpen ? "Can decide" : "Could decide", (!isOpen || mayDecide(request, session)) && decidersText(request)],
        ...(isInRun ? [] : where),
        ["Since", timeMark(created_at, now)],
        ["Until", isOpen && timeMark(expires_at, now)],
        ["Closed", decided_at && timeMark(decided_at, now)],
        ["Why", closed_because && showUnseen(closed_because)],
        ["Reason", withdraw_reason && showUnseen(withdraw_reason)],
        ...votes.map((vote) => [personText(vote.user_id, names), voteText(vote)] as const),
        ["Approval", isInRun ? undefined : copyable(request_id)],
        ["Receipt", receipt ? h("a", { href: `/console/audit/${decision_event}` }, decision_event) : decision_event],
      ],
      "facts",
    ),
    isOpen && !mayDecide(request, session) && h("p", null, whoDecides(request, session)),
    isOpen && actsOn(request, deps),
  );
}

/** Why the user has no buttons to decide. */
function whoDecides(request: InputRequest, { decidesAs: id, name }: User): string {
  const hasVoted = request.votes.some(({ user_id }) => user_id === id);
  return hasVoted ? "You have voted, and that vote stands." : `${decidersSentence(request)} You are ${name}.`;
}

/** What is asked: the text, the options or fields with what was answered, and the call that an approval allows. */
const contentOf = ({ action, answer, body, options, schema }: InputRequest): ComponentChild => [
  body !== undefined && h("p", { class: "input-body" }, showUnseen(body)),
  answer?.verdict === "answer" && answer.value !== undefined
    ? factList([["Answer", showUnseen(optionNamed(answer.value, options))]], "facts")
    : options && factList([["Options", options.map(({ label }) => visibleLine(label)).join(", ")]], "facts"),
  schema && factList(fieldsOf(schema, answer), "facts"),
  action && [
    h("p", { class: "muted" }, `Allows ${visibleLine(action.tool)} of ${visibleLine(action.agent)} with:`),
    h(JsonView, { value: action.arguments }),
  ],
];

const optionNamed = (value: string, options: InputRequest["options"] = []): string =>
  options.find((option) => option.value === value)?.label ?? value;

const typeWords = { string: "text", integer: "whole number", number: "number", boolean: "yes or no" } as const;

/** The fields of a form, each with what was given, or before that with what it takes. */
function fieldsOf({ properties, required = [] }: InputSchema, answer: InputAnswer | undefined) {
  const values = answer?.verdict === "answer" ? (answer.values ?? {}) : undefined;
  const textOf = (value: unknown): string => (typeof value === "boolean" ? (value ? "Yes" : "No") : String(value));
  return Object.entries(properties).flatMap(([name, field]) => {
    if (field === undefined) return [];
    const { default: first, description, enum: choices, format, title = name, type } = field;
    const takes = choices?.join(" or ") ?? format ?? typeWords[type];
    const optional = required.includes(name) ? "" : " (optional)";
    const suggested = first === undefined ? "" : `, ${textOf(first)} suggested`;
    const value = values === undefined ? takes + optional + suggested : textOf(values[name] ?? "–");
    return [[visibleLine(title), showUnseen(value), description] as const];
  });
}

/** The buttons that the API accepts from this user. */
function actsOn(request: InputRequest, { onInput, session }: InputListDeps): ComponentChild {
  if (!may(session, "runs:act")) return undefined;
  const button = (words: string, look: string, act: InputAct): ComponentChild =>
    h("button", { type: "button", class: look, key: words, onClick: () => onInput(request, act) }, words);
  const answers = mayDecide(request, session) ? answersTo(request) : [];
  return h(
    "div",
    { class: "choices" },
    answers.map(([words, look, answer]) => button(words, look, answer)),
    button("Withdraw…", "dangerous", "withdraw"),
  );
}

/** Whether the deciders name the user. Members of groups decide in Slack, where their membership is proven. */
function mayDecide(request: InputRequest, { decidesAs: id }: User): boolean {
  const { decide, escalate = [], kind, reminders = 0, requester, votes } = request;
  if (id === undefined || votes.some((vote) => vote.user_id === id)) return false;
  if (id === requester && !decide.requester) return false;
  const named = [...decide.people, ...(reminders > 0 ? escalate : [])];
  if (named.some((name) => name === id || name.endsWith(`/${id}`))) return true;
  // A token can't approve its own call.
  return id === requester && (kind !== "approve" || /^[UW][A-Z0-9]+$/.test(id));
}

/** The buttons of the answers to a request: their words and look. */
function answersTo({ kind, options = [] }: InputRequest): readonly (readonly [string, string, InputAct])[] {
  if (kind === "approve")
    return [
      ["Approve…", "primary", { verdict: "approve" }],
      ["Deny…", "dangerous", { verdict: "deny" }],
    ];
  const decline = ["Decline…", "", { verdict: "deny" }] as const;
  if (kind !== "choose") return [["Answer…", "primary", "fill"], decline];
  return [
    ...options.map(({ label, value }) => [`${visibleLine(label)}…`, "", { verdict: "answer", value }] as const),
    decline,
  ];
}

const withdrawal: Confirmation = {
  title: "Withdraw this request?",
  text: "People can no longer decide it. The step that waits for it ends as if it was denied.",
  yes: "Withdraw request",
  no: "Keep waiting",
  look: "dangerous",
  reason: "Reason (optional)",
};

/** Answers or withdraws an input request after the user confirms. Resolves with an error for the user; empty without one. */
export function actOnInput(api: Api, request: InputRequest, act: InputAct): Promise<string> {
  const { request_id } = request;
  const send = async (answer: InputAnswer): Promise<void> => {
    const digest = answer.verdict === "approve" ? request.action?.digest : undefined;
    const { outcome } = await api.call("answerInputRequest", { request_id, body: { answer, digest } });
    if (outcome !== "decided" && outcome !== "counted")
      throw new Error(`The answer was not taken: ${outcome.replaceAll("_", " ")}.`);
  };
  if (act === "withdraw")
    return confirmed(withdrawal, (reason) =>
      api.call("withdrawInputRequest", { request_id, body: reason === "" ? {} : { reason } }),
    );
  if (act === "fill") return askForAnswer(request, send);
  const isDenial = act.verdict === "deny";
  const verb = isDenial ? denialOf(request) : act.verdict === "approve" ? "Approve" : "Answer";
  const question: Confirmation = {
    title: `${verb}: ${visibleLine(request.title)}`,
    text: "This is your answer, by name. It is in the audit log, and people read it in the thread.",
    yes: verb,
    no: "Not now",
    look: isDenial ? "dangerous" : "primary",
    reason: act.verdict === "answer" ? undefined : "Reason (optional)",
  };
  return confirmed(question, (reason) => send(reason === "" ? act : { ...act, reason }));
}

const denialOf = ({ kind }: InputRequest): string => (kind === "approve" ? "Deny" : "Decline");
