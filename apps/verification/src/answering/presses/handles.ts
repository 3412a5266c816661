import type { Button } from "@slack/web-api";
import { z } from "zod";
import { answerVerbs } from "../../inbox/records.ts";
import { plain } from "../markdown/neutralise.ts";

/**
 * What an element of a card, an answer or a modal is for. Of a card, `approve` and `choose` answer by a press; `deny`, `open` and `show` open a
 * modal. Of an answer, `form` and a bad `rate` open one.
 */
const verbs = { input: ["approve", "deny", "choose", "open", "show"], answer: answerVerbs } as const;

export type InputVerb = (typeof verbs.input)[number];

/**
 * What an element or modal says about itself. It names an input request, or an answer by its reference, and decides nothing: everybody in the
 * conversation can read it.
 */
export type Handle = {
  readonly [Of in keyof typeof verbs]: {
    readonly of: Of;
    readonly verb: (typeof verbs)[Of][number];
    readonly id: string;
  };
}[keyof typeof verbs];

/** Characters of what a button or an option says. */
export const longestLabel = 75;

/** Returns a button. `nth` tells those with the same handle apart. */
export function button(label: string, handle: Handle, { nth, ...rest }: Partial<Button> & { nth?: number }): Button {
  return { type: "button", action_id: handleText(handle, nth), text: plain(label, longestLabel), ...rest };
}

const pattern = /^(input|answer):(\w+):([\w-]{16,64})(?::\d+)?$/;

/** Returns the id of an element or modal. `nth` tells elements with the same handle apart. */
export function handleText({ of, verb, id }: Handle, nth?: number): string {
  return `${of}:${verb}:${id}${nth === undefined ? "" : `:${nth}`}`;
}

/** Reads the id of an element or modal; undefined if it is not the app's. */
export function readHandle(text: string): Handle | undefined {
  const [, of = "", name = "", id] = pattern.exec(text) ?? [];
  const known: readonly string[] = verbs[of as keyof typeof verbs] ?? [];
  return known.includes(name) ? ({ of, verb: name, id } as Handle) : undefined;
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

const offeredText = z.object({ offered_by: z.string(), text: z.string() });

/** A text that an agent wrote, for people to press: as JSON, the value of its button. */
export type OfferedText = Readonly<z.output<typeof offeredText>>;

/** Reads the value of a button with a text of an agent. Throws an error for another one. */
export const readOffered = (value: string): OfferedText => offeredText.parse(JSON.parse(value));
