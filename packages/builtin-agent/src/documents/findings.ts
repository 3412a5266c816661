import { oneLine } from "../message/markdown.ts";
import { centralSentences } from "./sentences.ts";

/** The longest quotation, characters. */
export const LONGEST_QUOTE = 240;
const CENTRAL_SENTENCES = 3;
const MOST_LINES = 5;

const DECISION =
  /\b(?:decided|decision|agreed?|approved|action item|to-?do|let['’]s (?:go|do|use|take|ship)|we(?:['’]ll| will| should| must)|i(?:['’]ll| will)|assigned to|deadline|due (?:on|by)|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|tonight|end of))\b|決定|決まり|決めました|対応します|お願いします/i;
const QUESTION = /[?？]["”')\]]*$/;

/** A sentence of a message or document. */
export interface Sentence {
  text: string;
  author: string;
  /** Written by this app. */
  isOwn: boolean;
  /** Index of its message. */
  message: number;
}

/**
 * Returns what stands out in a conversation or text, as Markdown lists of quotations: central sentences, decisions,
 * questions.
 */
export function findings(sentences: readonly Sentence[]): string[] {
  const others = sentences.filter(({ isOwn }) => !isOwn);
  const texts = others.map(({ text }) => text);
  const central = centralSentences(texts, CENTRAL_SENTENCES).flatMap((index) => others[index] ?? []);
  const questions = others.filter(({ text }) => QUESTION.test(text));
  const decisions = others.filter(({ text }) => DECISION.test(text.slice(0, 1000)) && !QUESTION.test(text));
  return [
    list("Central sentences", central, quoted),
    list("Decisions and actions, judging by the wording", decisions, quoted),
    list("Questions (I can't tell whether they were answered)", questions, (question) =>
      isLastWord(question, sentences) ? `${quoted(question)} _(no one wrote after this)_` : quoted(question),
    ),
  ].filter((part) => part !== "");
}

function isLastWord({ author, message }: Sentence, sentences: readonly Sentence[]): boolean {
  return author !== "" && !sentences.some((other) => other.message > message && other.author !== author);
}

function list(title: string, sentences: readonly Sentence[], show: (sentence: Sentence) => string): string {
  if (sentences.length === 0) return "";
  const shown = sentences.slice(-MOST_LINES).map((sentence) => `- ${show(sentence)}`);
  const rest = sentences.length - shown.length;
  return [`**${title}**`, ...(rest > 0 ? [`- … ${rest} earlier`] : []), ...shown].join("\n");
}

function quoted({ text, author }: Sentence): string {
  return `${author === "" ? "" : `${author}: `}“${oneLine(text, LONGEST_QUOTE)}”`;
}
