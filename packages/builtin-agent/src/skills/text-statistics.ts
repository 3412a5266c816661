import { documentBehind, isTopicWord, sentencesOf, wordsOf } from "../texts/documents.ts";
import { code, counted, oneLine, table } from "../message/markdown.ts";
import { type BuiltinSkill, type Question, UserMistake } from "../message/skill.ts";

/** Maximum number of analyzed characters, to keep the zone responsive. */
const MOST_CHARACTERS = 50_000;
const MOST_FREQUENT = 5;

/** Splits into characters as people see them: an emoji with its skin tone is one. */
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const COMMAND =
  /^(?:text (?:statistics|stats|analysis)|(?:word|character|char|letter|sentence|line) ?(?:count|counter|statistics|stats)|count (?:the |my |all )?(?:words|characters|chars|letters|sentences|lines)|how many (?:words|characters|letters|sentences|lines)|(?:the )?most (?:frequent|common) words|文字数)/i;

/** Returns whether a question is about a text, which may be a file of the thread. */
export const isAboutText = ({ phrase }: Question): boolean => COMMAND.test(phrase);

/**
 * Counts words and more in a text. Finds words by Unicode rules, so Japanese and other languages without spaces work.
 */
export const textStatistics: BuiltinSkill = {
  id: "text-statistics",
  name: "Text statistics",
  description: "Counts characters, words, sentences and lines, and lists frequent words.",
  examples: [
    "word count: The quick brown fox jumps over the lazy dog.",
    "text statistics: 今日は良い天気です。明日も晴れるでしょう。",
  ],
  match: (question) => {
    const [command] = COMMAND.exec(question.phrase) ?? [];
    if (command === undefined) return undefined;
    const document = documentBehind(question, command.length);
    if (document === undefined) {
      throw new UserMistake("Please put the text after a colon, for example `word count: Hello world`.");
    }
    return () => describe(document.text, document.name);
  },
};

function describe(whole: string, name?: string): string {
  const text = whole.slice(0, MOST_CHARACTERS);
  const words = [...wordsOf(text)];
  const rows = [
    ["Characters", [...graphemes.segment(text)].length],
    ["Words", words.length],
    ["Distinct words", new Set(words).size],
    ["Sentences", sentencesOf(text).length],
    ["Lines", text.split("\n").length],
  ].map(([label, count]) => [String(label), count?.toLocaleString("en") ?? ""]);
  const frequent = mostFrequent(words);
  if (frequent !== "") rows.push(["Most frequent words", frequent]);
  const title = name === undefined ? "" : `${code(name)}\n\n`;
  const note =
    whole.length > text.length
      ? `\n\n_Only the first ${counted(text.length, "character")} of ${whole.length.toLocaleString("en")} are counted._`
      : "";
  return `${title}${table(["Text", ""], rows)}${note}`;
}

function mostFrequent(words: readonly string[]): string {
  return [...Map.groupBy(words.filter(isTopicWord), (word) => word)]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .slice(0, MOST_FREQUENT)
    .map(([word, all]) => `${oneLine(word, 30)} (${all.length})`)
    .join(", ");
}
