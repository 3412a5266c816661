import type { Question } from "../message/skill.ts";

/** A text that came with a question. */
export interface Document {
  text: string;
  /** The file's name, when the text is a file. */
  name?: string;
}

/** Returns the text that a command of `length` characters refers to: in a code block, after a colon or line break, in quotes, or in a file. */
export function documentBehind({ text, input }: Question, length: number): Document | undefined {
  const rest = text.slice(length);
  const [, block] = /```(?:[a-z]{1,12}[ \t]{0,9}\r?\n)?([^]*?)(?:```|$)/i.exec(rest) ?? [];
  const own = block ?? textBehindMark(rest);
  if (own !== undefined && own.trim() !== "") return { text: own };
  const file = input.attachments.find((attachment) => (attachment.text ?? "").trim() !== "");
  return file?.text === undefined
    ? undefined
    : { text: file.text, ...(file.name !== undefined && { name: file.name }) };
}

function textBehindMark(rest: string): string | undefined {
  const [mark] = /^[^:：\n"“]{0,100}(?::(?!\/\/)|[：\n"“])/.exec(rest) ?? [];
  if (mark === undefined) return undefined;
  const text = rest.slice(mark.length).trim();
  return /["“]$/.test(mark) ? text.replace(/["”]\s*[?？.]?$/, "") : text || undefined;
}
