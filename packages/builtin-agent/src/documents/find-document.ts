import type { Question } from "../message/skill.ts";

/** A text that came with a question. */
export interface Document {
  text: string;
  /** The file's name, when the text is a file. */
  name?: string;
  /** The declared format: a code block's language, or a file's extension or media type. Lower case, may be empty. */
  format: string;
}

const FENCE = "```";

/** Words between a command and its text that belong to neither. */
const JOINING =
  /^(?:[ ,]+(?:are|is|there|in|of|for|on|from|the|this|these|that|my|following|attached|text|message|sentence|paragraph|file|document|words|characters|and)){0,12}\b[ ,]*/i;

/** Returns the contents of all code blocks of the message. An unclosed block extends to the end. */
export function codeBlocks(text: string): Document[] {
  const blocks: Document[] = [];
  for (let start = nextFence(text, 0); start !== -1;) {
    const close = text.indexOf(FENCE, start);
    const end = close === -1 ? text.length : close;
    blocks.push(withFormat(text.slice(start, end)));
    start = nextFence(text, end + FENCE.length);
  }
  return blocks.filter(({ text: content }) => content.trim() !== "");
}

/** Returns the index after the next opening fence, which follows a space, a colon or nothing; -1 without one. */
function nextFence(text: string, from: number): number {
  for (let at = text.indexOf(FENCE, from); at !== -1; at = text.indexOf(FENCE, at + FENCE.length)) {
    if (at === 0 || /[\s:：]/.test(text.charAt(at - 1))) return at + FENCE.length;
  }
  return -1;
}

function withFormat(content: string): Document {
  const [, language] = /^([a-z]{1,12})[ \t]{0,9}\r?\n/i.exec(content) ?? [];
  if (language === undefined) return { text: content, format: "" };
  return { text: content.slice(content.indexOf("\n") + 1), format: language.toLowerCase() };
}

/** Returns the attachments whose contents were read. */
export function attachedTexts({ input }: Question): Document[] {
  return input.attachments.flatMap(({ text, name, mime_type }) => {
    if (text === undefined || text.trim() === "") return [];
    const extension = /\.([a-z\d]{1,8})$/i.exec(name ?? "")?.[1] ?? "";
    const format = extension === "" ? (mime_type ?? "") : extension;
    return [{ text, format: format.toLowerCase(), ...(name === undefined ? {} : { name }) }];
  });
}

/**
 * Returns the text that a command of `length` characters refers to: a code block, the text after a colon or line break
 * or in quotes, or an attachment. With `fewestWords` also the rest of the line, when it has that many words after
 * joining words such as "of the".
 */
export function documentBehind(question: Question, length: number, fewestWords?: number): Document | undefined {
  const rest = question.text.slice(length);
  const [block] = codeBlocks(rest);
  if (block !== undefined) return block;
  const marked = textBehindMark(rest);
  if (marked !== undefined) return { text: marked, format: "" };
  const [attached] = attachedTexts(question);
  if (attached !== undefined) return attached;
  const plain = rest.replace(JOINING, "").trim();
  const isLong = fewestWords !== undefined && plain.split(/\s+/, fewestWords).length === fewestWords;
  return isLong ? { text: plain, format: "" } : undefined;
}

function textBehindMark(rest: string): string | undefined {
  const [mark] = /^[^:：\n"“]{0,100}(?::(?!\/\/)|[：\n"“])/.exec(rest) ?? [];
  if (mark === undefined) return undefined;
  const text = rest.slice(mark.length).trim();
  return /["“]$/.test(mark) ? text.replace(/["”]\s*[?？.]?$/, "") : text || undefined;
}
