import { type InputRequest, type InputSchema, isInputField, isInputSchema } from "@crosszone/contracts";
import type { Button } from "@slack/web-api";
import type { AnswerPress, InputPress, PressRecord } from "../inbox/records.ts";
import { callOf } from "../showing/agents-list.ts";
import { plain } from "../showing/markdown/neutralise.ts";
import type { ModalErrors } from "../slack/interaction.ts";
import {
  answerModal,
  argumentsModal,
  beginningWith,
  denyModal,
  enteredText,
  formInputs,
  longestLabel,
  modalErrors,
  type ModalParts,
  readModalAnswer,
  readForm,
  reasonInput,
} from "./input-modals.ts";
import {
  type Acted,
  acted,
  askAbout,
  askAgain,
  askAs,
  askOffered,
  freeReaction,
  type PressWork,
  rejected,
  showHomeAgain,
} from "./press-acts.ts";
import {
  aboutModal,
  changeSchedule,
  formMs,
  type ModalPlace,
  saveSchedule,
  scheduleErrors,
  scheduleModal,
} from "./schedules.ts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { isObject, ownList } from "@crosszone/service-kit/json";
import type { ZoneLink } from "../link/zone-link.ts";

/** A press or a submitted modal that is taken. */
interface TakenPress extends ModalPlace {
  /** The id of the element, or of the modal, without a number. */
  readonly element: string;
  /** The value of the pressed element; of a modal, that of the element that opened it. */
  readonly value?: string | undefined;
  /** The digest of the action that the card shows. */
  readonly digest?: string | undefined;
  /** What was entered in the modal, by block. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** The request of the card; undefined once it is closed. */
  readonly request?: InputRequest | undefined;
}

type Decision = Pick<InputPress, "answer" | "digest">;

interface PressRow {
  /**
   * Returns the modal that a press opens, and false if it opens none. Resolves with undefined if there is nothing to fill in any more. What
   * opens a modal does nothing until that is submitted, unless `isDoneAtOnce`.
   */
  readonly modal?: (taken: TakenPress) => Promise<ModalParts | undefined> | false;
  readonly isDoneAtOnce?: true;
  /** Returns what a submitted modal shows when it is rejected. Without it, the modal does not wait. */
  readonly reply?: (done: Acted, request: InputRequest | undefined) => ModalErrors;
}

/** A press on the card of an input request: an answer, which execution judges. */
interface CardPress extends PressRow {
  readonly of: "input";
  /** Returns what a press without a modal decides. */
  readonly decides?: (taken: TakenPress) => Decision;
  /** Returns what a submitted modal decides; undefined if the request is closed. */
  readonly entered: (taken: TakenPress) => Decision | undefined;
}

/** A press under an answer or on the Home tab, for a person whom the policy allows to ask. Doing it again changes nothing. */
interface PressBelow extends PressRow {
  readonly of: "answer";
  /** True if a person can do it where the app does not see the conversation. It is then done in their direct messages. */
  readonly isAnywhere?: true;
  readonly act: (work: PressWork, press: AnswerPress) => Promise<Acted>;
  /** Called once it is done, rejected or failed for good. */
  readonly over?: (work: PressWork, press: AnswerPress) => Promise<void>;
}

type Press = CardPress | PressBelow;

const onCard: CardPress = {
  of: "input",
  entered: ({ request, values, digest }) => request && { answer: readModalAnswer(request, values), digest },
  reply: modalErrors,
};

/** The value of the button for a bad answer. */
export const badRating = "bad";

/** What people can press, by the verb of its handle. */
const presses = {
  approve: { ...onCard, decides: ({ digest }) => ({ answer: { verdict: "approve" }, digest }) },
  deny: {
    ...onCard,
    modal: async ({ request }) => request && denyModal(request),
    entered: ({ request, values, digest }) =>
      request && { answer: { verdict: "deny", reason: enteredText(values) }, digest },
    reply: (done) => modalErrors(done),
  },
  choose: { ...onCard, decides: ({ value }) => ({ answer: { verdict: "answer", value } }) },
  open: { ...onCard, modal: async ({ request }) => request && answerModal(request) },
  show: { ...onCard, modal: async ({ request, element, value }) => request && argumentsModal(request, element, value) },
  again: { of: "answer", act: askAgain },
  other: { of: "answer", act: askAgain },
  prompt: { of: "answer", act: askOffered },
  example: { of: "answer", act: askOffered },
  page: { of: "answer", act: async (work, { value = "" }) => showHomeAgain(work, { page: value }) },
  rate: {
    of: "answer",
    modal: ({ value }) => value === badRating && Promise.resolve(feedbackModal),
    isDoneAtOnce: true,
    act: rate,
  },
  form: { of: "answer", modal: formModal, act: runWithForm },
  about: { of: "answer", modal: aboutModal, act: askAbout, isAnywhere: true },
  reaction: { of: "answer", act: askAbout, over: freeReaction },
  schedule: { of: "answer", modal: scheduleModal, act: saveSchedule, reply: scheduleErrors },
  change: { of: "answer", act: changeSchedule },
} satisfies Readonly<Record<string, Press>>;

export type PressVerb = keyof typeof presses;

/**
 * What an element or modal says about itself: what people press, and the id of an input request, or the reference of an answer. It decides
 * nothing: everybody in the conversation can read it.
 */
interface Handle {
  readonly verb: PressVerb;
  readonly id: string;
}

/** Returns a button. `nth` tells those with the same handle apart. */
export function button(label: string, handle: Handle, { nth, ...rest }: Partial<Button> & { nth?: number }): Button {
  return { type: "button", action_id: handleText(handle, nth), text: plain(label, longestLabel), ...rest };
}

/** Returns the id of an element or modal. `nth` tells elements with the same handle apart. */
export function handleText({ verb, id }: Handle, nth?: number): string {
  return `${presses[verb].of}:${verb}:${id}${nth === undefined ? "" : `:${nth}`}`;
}

const isVerb = (verb: string): verb is PressVerb => Object.hasOwn(presses, verb);

/** Returns what people press; undefined if there is no such verb. */
export const pressOf = (verb: string): Press | undefined => (isVerb(verb) ? presses[verb] : undefined);

/** Reads the id of an element or modal; undefined if it is not the app's. */
export function readHandle(text: string): (Handle & { readonly of: Press["of"] }) | undefined {
  const [, of, verb = "", id = ""] = /^(\w+):(\w+):([\w-]{16,64})(?::\d+)?$/.exec(text) ?? [];
  return isVerb(verb) && presses[verb].of === of ? { of: presses[verb].of, verb, id } : undefined;
}

/** Returns what a press or a submitted modal stores; undefined if its request is closed. */
export function pressToStore(row: Press, { verb, id }: Handle, taken: TakenPress): PressRecord["press"] | undefined {
  const { value, values } = taken;
  if (row.of === "answer") return { of: "answer", verb, id, value, values };
  const decision = values === undefined ? row.decides?.(taken) : row.entered(taken);
  return decision && { of: "input", id, ...decision };
}

const feedbackModal: ModalParts = {
  title: "Feedback",
  submit: "Send",
  about: "What was wrong with the answer?",
  blocks: [reasonInput],
};

async function rate(
  { ratings, leased: { record } }: PressWork,
  { id: reference, value, values }: AnswerPress,
): Promise<Acted> {
  const { team_id, user_id } = record;
  const reason = enteredText(values) ?? "";
  const rating = value === badRating ? "bad" : "good";
  const isChanged = await ratings.put({ reference, team_id, user_id, rating, reason });
  // A reason follows a rating that was thanked for.
  return acted(isChanged && reason === "" ? "Thank you for your feedback." : "");
}

/** Returns the workflow that the value of a button names, and the words after it. */
function runOf(value = ""): { readonly workflow: string; readonly words: string } {
  const [workflow = "", ...lines] = value.split("\n");
  return { workflow, words: lines.join("\n").trim() };
}

async function formModal({ value, link }: TakenPress): Promise<ModalParts | undefined> {
  const { workflow: about, words } = runOf(value);
  const schema = await workflowForm(about, { link, call: { timeoutMs: formMs } });
  return schema && { title: "Run a workflow", submit: "Run", about, blocks: formInputs(beginningWith(words, schema)) };
}

async function runWithForm(work: PressWork, { value, values }: AnswerPress): Promise<Acted> {
  const { workflow } = runOf(value);
  const { link, signal, leased } = work;
  const call = { signal, correlationId: leased.record.correlation_id };
  const schema = await workflowForm(workflow, { link, call });
  if (schema === undefined) return rejected("This workflow has no form any more. Run it again to see what it needs.");
  const input = JSON.stringify(readForm(schema, values));
  return askAs(work, { text: `${callOf({ name: workflow, kind: "workflow" })}: ${input}` });
}

/** What a field of a form has of a member's JSON Schema; the rest is checked when the run starts. */
const fieldMembers = new Set(
  "type title description enum format minLength maxLength minimum maximum default".split(" "),
);

/** Members that execution adds to an input by itself. */
const added: ReadonlySet<string> = new Set(["thread", "attachments"]);

/** Resolves with the form of a workflow's input; undefined if there is no such workflow, or its input does not fit a form. */
export async function workflowForm(
  workflow: string,
  { link, call }: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<InputSchema | undefined> {
  const { agents } = await link.call("list_agents", {}, call);
  const found = agents.find(({ name, kind }) => name === workflow && kind === "workflow");
  return flatSchema(found?.input_schema);
}

/** Returns the flat members of an input's JSON Schema, which make a form; undefined if a required one is not flat, or there are more than fit a form. */
export function flatSchema(schema: unknown): InputSchema | undefined {
  if (!isObject(schema) || !isObject(schema["properties"])) return undefined;
  const fields = Object.entries(schema["properties"]).flatMap(([name, member]) => {
    const known = isObject(member) ? Object.entries(member).filter(([key]) => fieldMembers.has(key)) : [];
    const field: unknown = Object.fromEntries(known);
    return isInputField(field) && !added.has(name) ? [[name, field] as const] : [];
  });
  const properties = Object.fromEntries(fields);
  const required = ownList(schema, "required").filter(
    (name): name is string => typeof name === "string" && !added.has(name),
  );
  const flat = { type: "object", properties, required };
  return isInputSchema(flat) && required.every((name) => Object.hasOwn(properties, name)) ? flat : undefined;
}
