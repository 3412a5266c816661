import type {
  InputAction,
  InputAnswer,
  InputField,
  InputRequest,
  InputSchema,
  InputValue,
  ParamProblem,
} from "@crosszone/contracts";
import { memberForWords, ownMember, plainJson, recordOf } from "@crosszone/service-kit/json";
import { showUnseen } from "@crosszone/service-kit/text";
import type { Button, InputBlock, KnownBlock, ModalView, PlainTextOption, RichTextBlock } from "@slack/web-api";
import { oneLine, plain } from "../showing/markdown/neutralise.ts";
import type { ModalData, ModalErrors } from "../slack/interaction.ts";

/** Characters of what a button or an option says. */
export const longestLabel = 75;

/** The block of a reason or a text, and the start of the names of a form's blocks. */
const answerBlock = "answer";
const fieldBlock = "field:";

/** Characters that fit a field for a text. */
const longestText = 3_000;

/** Pieces of arguments in one page, so that a modal stays below Slack's 250 KB. */
const piecesOnPage = 20;

/** What a modal shows. */
export interface ModalParts {
  readonly title: string;
  /** The button that submits it; absent if it only shows something. */
  readonly submit?: string;
  /** What it is about, above the blocks. */
  readonly about: string;
  readonly blocks: readonly KnownBlock[];
}

/** Returns a modal as Slack opens it. `id` is that of what opens it, and `data` is what it keeps. */
export function modalView(parts: ModalParts, id: string, data: Partial<ModalData>): ModalView {
  const { title, submit, about, blocks } = parts;
  return {
    type: "modal",
    callback_id: id,
    private_metadata: JSON.stringify(data),
    title: plain(title, 24),
    close: plain("Close", 24),
    submit: submit === undefined ? undefined : plain(submit, 24),
    blocks: [{ type: "section", text: plain(about, 150) }, ...blocks],
  };
}

/** Whether a person is asked to allow what others wrote in the person's name. */
export const asksConsent = ({ origin }: Pick<InputRequest, "origin">): boolean => origin === "schedule";

/** Returns the modal that asks for a reason to deny. */
export function denyModal({ kind, origin, title: about }: InputRequest): ModalParts {
  const title = kind === "approve" && !asksConsent({ origin }) ? "Deny" : "Decline";
  return { title, submit: title, about, blocks: [reasonInput] };
}

/** Returns the modal that asks for a text, or for the fields of a form. */
export function answerModal({ kind, title: about, schema }: InputRequest): ModalParts {
  const blocks = kind === "form" ? formInputs(schema) : [textInput("Answer", 3_000)];
  return { title: "Answer", submit: "Send", about, blocks };
}

export function formInputs(schema: InputRequest["schema"]): readonly InputBlock[] {
  return fieldsOf(schema).map(([name, field]) => fieldInput(name, field, schema?.required?.includes(name) === true));
}

/** Returns a schema whose form begins with the texts that a person gave: in a JSON object, or as words for the member that takes them. */
export function beginningWith(words: string, schema: InputSchema): InputSchema {
  const given = words.startsWith("{") ? recordOf(plainJson(words)) : { [memberForWords(schema)]: words };
  const fields = fieldsOf(schema).map(([name, field]) => {
    const { minLength = 0, maxLength = longestText, format } = field;
    const text = ownMember(given, name);
    const isText = typeof text === "string" && field.type === "string" && format === undefined;
    const fits = isText && text.length >= Math.max(1, minLength) && text.length <= Math.min(longestText, maxLength);
    return [name, fits ? { ...field, default: text } : field] as const;
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Characters of one block of code. */
const longestCode = 2_500;

/** Returns the arguments of an action as JSON in pieces, whole, with characters that people can't see as escapes. */
export function argumentPieces({ arguments: given }: InputAction): readonly string[] {
  const json = JSON.stringify(given, null, 2) ?? "null";
  return showUnseen(json).match(new RegExp(`.{1,${longestCode}}`, "gsu")) ?? [];
}

/** Returns a block that shows text as code, literally: Slack finds no mention, link or mark in it. */
export function literalBlock(text: string): RichTextBlock {
  return { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }] };
}

/** Returns the modal that shows all arguments of an action: the page, from 0, that its own button names, else the first. `element` is the id of what opens it. */
export function argumentsModal({ title: about, action }: InputRequest, element: string, page = ""): ModalParts {
  const pieces = action === undefined ? [] : argumentPieces(action);
  const pages = Math.ceil(pieces.length / piecesOnPage);
  const at = /^\d{1,4}$/.test(page) ? Math.min(Number(page), pages - 1) : 0;
  const turn = (text: string, to: number): Button => ({
    type: "button",
    action_id: `${element}:${to}`,
    text: plain(text, longestLabel),
    value: String(to),
  });
  const turns = [...(at > 0 ? [turn("Previous", at - 1)] : []), ...(at < pages - 1 ? [turn("Next", at + 1)] : [])];
  const part = `Part ${at + 1} of ${pages} · SHA-256 \`${action?.digest}\``;
  const blocks: KnownBlock[] = [
    { type: "section", text: { type: "mrkdwn", text: part } },
    ...pieces.slice(at * piecesOnPage, (at + 1) * piecesOnPage).map(literalBlock),
  ];
  if (turns.length > 0) blocks.push({ type: "actions", elements: turns });
  return { title: "All arguments", about, blocks };
}

function fieldsOf(schema: InputRequest["schema"]): readonly (readonly [string, InputField])[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => (field ? [[name, field] as const] : []));
}

/** Returns a block with an element whose value is read by the block's id. */
export function inputBlock(block_id: string, label: string, element: InputBlock["element"]): InputBlock {
  return { type: "input", block_id, label: plain(label, 150), element: { action_id: "value", ...element } };
}

export function optionOf(label: string, value: string): PlainTextOption {
  return { text: plain(label, longestLabel), value };
}

/** Returns the field for a text that `enteredText` reads. */
export function textInput(label: string, max_length: number): InputBlock {
  return inputBlock(answerBlock, label, { type: "plain_text_input", multiline: true, max_length });
}

/** The field for an optional reason. */
export const reasonInput: InputBlock = { ...textInput("Reason", 2_000), optional: true };

function fieldInput(name: string, field: InputField, isRequired: boolean): InputBlock {
  const { title = name, description } = field;
  const hint = description === undefined ? undefined : plain(description, 150);
  return { ...inputBlock(`${fieldBlock}${name}`, title, elementOf(field)), optional: !isRequired, hint };
}

function elementOf(field: InputField): InputBlock["element"] {
  const { type, format, default: first, minLength, maxLength, minimum, maximum } = field;
  const action_id = "value";
  // A person who submits a default answers for it, so nothing in it is hidden from them.
  const isVisible = first !== undefined && showUnseen(String(first)) === String(first);
  const initial_value = isVisible ? { initial_value: String(first) } : {};
  const options = (type === "boolean" ? ["true", "false"] : (field.enum ?? [])).map((value) =>
    optionOf(type === "boolean" ? (value === "true" ? "Yes" : "No") : showUnseen(value), value),
  );
  const initial = options.find(({ value }) => value === String(first));
  const chosen = initial && { initial_option: initial };
  if (type === "boolean") return { type: "radio_buttons", action_id, options, ...chosen };
  if (options.length > 0) return { type: "static_select", action_id, options, ...chosen };
  if (type !== "string") {
    const bounds = { min_value: minimum?.toString(), max_value: maximum?.toString() };
    return { type: "number_input", action_id, is_decimal_allowed: type === "number", ...bounds, ...initial_value };
  }
  if (format === "date") return { type: "datepicker", action_id };
  if (format === "date-time") return { type: "datetimepicker", action_id };
  if (format === "email") return { type: "email_text_input", action_id, ...initial_value };
  if (format === "uri") return { type: "url_text_input", action_id, ...initial_value };
  const most = Math.min(maxLength ?? longestText, longestText);
  return {
    type: "plain_text_input",
    action_id,
    multiline: most > 200,
    min_length: Math.min(minLength ?? 0, most),
    max_length: most,
    ...initial_value,
  };
}

/** What was entered in a modal, by block. */
type Entered = Readonly<Record<string, string>> | undefined;

/** Returns the text or reason that was entered in a modal; undefined if there is none. */
export const enteredText = (values: Entered): string | undefined => values?.[answerBlock]?.trim() || undefined;

/** Returns the answer that was entered in a modal. Its values have the types of the form's fields as far as they can be read. */
export function readModalAnswer({ kind, schema }: InputRequest, values: Entered): InputAnswer {
  if (kind === "form") return { verdict: "answer", values: readForm(schema, values) };
  return { verdict: "answer", value: enteredText(values) };
}

/** Returns what was entered in the fields of a form, with their types as far as they can be read. */
export function readForm(schema: InputRequest["schema"], values: Entered): Readonly<Record<string, InputValue>> {
  const entered = fieldsOf(schema).flatMap(([name, { type }]) => {
    const value = values?.[`${fieldBlock}${name}`];
    return value === undefined ? [] : [[name, valueOf(value, type)] as const];
  });
  return Object.fromEntries(entered);
}

function valueOf(text: string, type: InputField["type"]): InputValue {
  if (type === "boolean") return text === "true";
  if (type === "string") return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** Returns what a modal shows about a rejected answer, by block: of a form's fields, or at its first block. */
export function modalErrors(
  { text, problems = [] }: { readonly text: string; readonly problems?: readonly ParamProblem[] | undefined },
  request?: InputRequest,
): ModalErrors {
  const names = request?.kind === "form" ? fieldsOf(request.schema).map(([name]) => name) : [];
  const errors = problems.flatMap(({ pointer, message }) => {
    const name = names.find((one) => pointer === `/answer/values/${one}`);
    return name === undefined ? [] : [[`${fieldBlock}${name}`, oneLine(`It ${message}.`, 150)] as const];
  });
  const first = names[0] === undefined ? answerBlock : `${fieldBlock}${names[0]}`;
  return errors.length > 0 ? Object.fromEntries(errors) : { [first]: oneLine(unformatted(text), 2_000) };
}

/** Returns mrkdwn as plain text: mentions as ids, times as in UTC. */
const unformatted = (mrkdwn: string): string =>
  mrkdwn.replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, "$1").replaceAll(/<(@\w+)>/g, "$1");
