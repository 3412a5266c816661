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
  return file?.text === undefined ? undefined : { text: file.text, name: file.name };
}

function textBehindMark(rest: string): string | undefined {
  const [mark] = /^[^:：\n"“]{0,100}(?::(?!\/\/)|[：\n"“])/.exec(rest) ?? [];
  if (mark === undefined) return undefined;
  const text = rest.slice(mark.length).trim();
  return /["“]$/.test(mark) ? text.replace(/["”]\s*[?？.]?$/, "") : text || undefined;
}

const words = new Intl.Segmenter("en", { granularity: "word" });
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** English words that carry no topic. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about after all also an and any are as at be because been before but by can could did do does don't for from get had has have he " +
    "her here him his how i i'll i'm if in into is isn't it it's its just let let's like me more my no not now of on one only or our out " +
    "over please she should so some than that that's the their them then there these they this to too up us very was we we'll were what " +
    "when where which who why will with would yes you your"
  ).split(" "),
);

/** Yields words in lower case, also in languages without spaces (Japanese, Chinese, Thai). Numbers count as words. */
export function* wordsOf(text: string): Generator<string> {
  for (const { segment, isWordLike } of words.segment(text)) if (isWordLike === true) yield segment.toLowerCase();
}

/** Returns trimmed sentences with at least one letter or digit. A line break always ends a sentence. */
export function sentencesOf(text: string): string[] {
  return Array.from(sentences.segment(text), ({ segment }) => segment.trim()).filter((one) =>
    /[\p{L}\p{N}]/u.test(one),
  );
}

/** True for a word that says something about the topic: no stop word, single letter or Japanese particle. */
export function isTopicWord(word: string): boolean {
  return !STOP_WORDS.has(word) && !/^(?:.|\p{Script=Hiragana}{1,3}|[\d.,]+)$/u.test(word);
}
