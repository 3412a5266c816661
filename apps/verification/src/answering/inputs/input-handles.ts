import { z } from "zod";

/** What an element of a card or modal is for. Only `approve` and `choose` answer by a press; `deny` and `open` open a modal. */
const verbs = ["approve", "deny", "choose", "open", "show"] as const;

export type InputVerb = (typeof verbs)[number];

/** What an element or modal says about itself. It names a request and decides nothing: everybody in the conversation can read it. */
export interface InputHandle {
  readonly verb: InputVerb;
  readonly inputId: string;
}

const pattern = /^input:(\w+):([\w-]{16,64})(?::\d+)?$/;

/** Returns the id of an element or modal. `nth` tells elements with the same handle apart. */
export function handleText({ verb, inputId }: InputHandle, nth?: number): string {
  return `input:${verb}:${inputId}${nth === undefined ? "" : `:${nth}`}`;
}

/** Reads the id of an element or modal; undefined if it is not of an input request. */
export function readHandle(text: string): InputHandle | undefined {
  const [, name, inputId = ""] = pattern.exec(text) ?? [];
  const verb = verbs.find((one) => one === name);
  return verb && { verb, inputId };
}

const modalData = z.object({
  digest: z.string().optional(),
  channel: z.string(),
  thread_ts: z.string().optional(),
});

/** What a modal keeps from the card that opened it. */
export type ModalData = Readonly<z.output<typeof modalData>>;

/** Reads the private metadata of a modal; undefined if it is not of an input request. */
export function readModalData(text: string): ModalData | undefined {
  try {
    return modalData.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
