import { type InputSchema, isInputField, isInputSchema, ZoneError } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { isObject, ownList } from "@crosszone/service-kit/json";
import type { ActionsBlock, ActionsBlockElement, Button, ContextActionsBlock, KnownBlock } from "@slack/web-api";
import { z } from "zod";
import type { Question } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { plain } from "./markdown/neutralise.ts";

/**
 * What an element or modal says about itself: a row of `presses`, and the id of an input request, or the reference of an answer. It decides
 * nothing: everybody in the conversation can read it.
 */
export interface Handle {
  readonly of: "input" | "answer";
  readonly verb: string;
  readonly id: string;
}

/** Characters of what a button or an option says. */
export const longestLabel = 75;

/** Returns a button. `nth` tells those with the same handle apart. */
export function button(label: string, handle: Handle, { nth, ...rest }: Partial<Button> & { nth?: number }): Button {
  return { type: "button", action_id: handleText(handle, nth), text: plain(label, longestLabel), ...rest };
}

/** Returns the id of an element or modal. `nth` tells elements with the same handle apart. */
export function handleText({ of, verb, id }: Handle, nth?: number): string {
  return `${of}:${verb}:${id}${nth === undefined ? "" : `:${nth}`}`;
}

const modalData = z.object({
  digest: z.string().optional(),
  channel: z.string(),
  thread_ts: z.string().optional(),
  value: z.string().optional(),
});

/** What a modal keeps of the press that opened it: the place, the digest that the card showed, or the value of an answer's button. */
export type ModalData = Readonly<z.output<typeof modalData>>;

/** Reads the private metadata of a modal; undefined if it is not the app's. */
export function readModalData(text: string): ModalData | undefined {
  try {
    return modalData.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A text that an agent wrote, for people to press: as JSON, the value of its button. */
const offeredText = z.object({ offered_by: z.string(), text: z.string() });

/** Reads the value of a button with a text of an agent. Throws an error for another one. */
export const readOffered = (value: string): Readonly<z.output<typeof offeredText>> =>
  offeredText.parse(JSON.parse(value));

/** The value of the button for a bad answer. */
export const badRating = "bad";

/** Options in the menu of other agents, and the characters of an option's value. */
const mostAgents = 25;
const longestValue = 150;

/** Waits for the names of other agents, milliseconds. A failed answer goes without them after that. */
const listTimeoutMs = 1_500;

const actions = (elements: readonly ActionsBlockElement[]): ActionsBlock => ({
  type: "actions",
  elements: [...elements],
});

/** Returns what is below an agent's answer: its prompts, and thumbs. A workflow and an unnamed agent can't be asked on, so they have no prompts. */
export function answerControls(
  reference: string,
  { agent: offered_by, prompts = [] }: { readonly agent?: string; readonly prompts?: readonly string[] },
): readonly KnownBlock[] {
  const offered = offered_by === undefined ? [] : prompts.map((text) => ({ offered_by, text }));
  const handle = { of: "answer", verb: "prompt", id: reference } as const;
  const buttons = offered.map((one, nth) => button(one.text, handle, { value: JSON.stringify(one), nth }));
  const rating: ContextActionsBlock = {
    type: "context_actions",
    elements: [
      {
        type: "feedback_buttons",
        action_id: handleText({ of: "answer", verb: "rate", id: reference }),
        positive_button: { text: plain("👍", longestLabel), value: "good", accessibility_label: "Good answer" },
        negative_button: { text: plain("👎", longestLabel), value: badRating, accessibility_label: "Bad answer" },
      },
    ],
  };
  return buttons.length > 0 ? [actions(buttons), rating] : [rating];
}

/** Returns the button for a workflow's form. */
export function formControls(reference: string, workflow: string): readonly KnownBlock[] {
  return [actions([button("Fill in the form", { of: "answer", verb: "form", id: reference }, { value: workflow })])];
}

/** Resolves with what is below a failed answer: a button to ask again, and a menu of other agents if execution lists them in time. */
export async function failedControls(
  { correlation_id: reference, ts }: Question,
  error: unknown,
  { link, call }: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<readonly KnownBlock[]> {
  // A zone that could not be reached is not asked for more.
  const isReached = error instanceof ZoneError;
  const listed =
    isReached && (await link.call("list_agents", {}, { ...call, timeoutMs: listTimeoutMs }).catch(() => undefined));
  const failed = isReached ? error.data.agent : undefined;
  const options = (listed ? listed.agents : [])
    .filter(({ name, kind }) => kind !== "workflow" && name !== failed)
    .map(({ name }) => ({ text: plain(name, longestLabel), value: `${ts} ${name}` }))
    .filter(({ value }) => value.length <= longestValue)
    .slice(0, mostAgents);
  const menu = {
    type: "static_select" as const,
    action_id: handleText({ of: "answer", verb: "other", id: reference }),
    placeholder: plain("Ask another agent", longestLabel),
    options,
  };
  const again = button("Try again", { of: "answer", verb: "again", id: reference }, { value: ts });
  return [actions(options.length > 0 ? [again, menu] : [again])];
}

/** What a field of a form has of a member's JSON Schema; the rest is checked when the run starts. */
const fieldMembers = new Set(
  "type title description enum format minLength maxLength minimum maximum default".split(" "),
);

/** Time to list the workflows, milliseconds. After it, a run starts as it is. */
const formTimeoutMs = 3_000;

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

/** Returns the flat members of an input's JSON Schema; undefined if a required one is not flat, or there are more than fit a form. */
function flatSchema(schema: unknown): InputSchema | undefined {
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

/**
 * Resolves with what a run asks for whose text lacks required members that fit a form; undefined if it can start, or if execution explains
 * what is wrong: with text that should be JSON, or with an input that does not fit a form.
 */
export async function missingInput(
  { agent: workflow, text }: { readonly agent: string; readonly text: string },
  { link, call }: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<{ readonly state: "done"; readonly text: string; readonly people: ReadonlySet<string> } | undefined> {
  const schema = await workflowForm(workflow, { link, call: { ...call, timeoutMs: formTimeoutMs } }).catch(
    () => undefined,
  );
  const missing = schema && missingMembers(text, schema);
  if (missing === undefined || missing.length === 0) return undefined;
  const names = missing.map((name) => `\`${name}\``).join(", ");
  return { state: "done", text: `The workflow \`${workflow}\` needs ${names}.`, people: new Set() };
}

/** Returns the required members that the text of a run lacks; none if it should be JSON and is not. */
function missingMembers(text: string, { required = [] }: InputSchema): readonly string[] {
  const json = text.trim();
  let input: object = json === "" ? {} : { text };
  try {
    if (json.startsWith("{")) input = JSON.parse(json) as object;
  } catch {
    return [];
  }
  return required.filter((name) => !Object.hasOwn(input, name));
}
