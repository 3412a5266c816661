import { documentBehind } from "../documents/find-document.ts";
import { countGraphemes, isTopicWord, sentencesOf, wordsOf } from "../documents/sentences.ts";
import { code, counted, oneLine, table } from "../message/markdown.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";

/** Maximum number of analyzed characters, to keep the zone responsive. */
const MOST_CHARACTERS = 200_000;
const WORDS_PER_MINUTE = 238;
const CJK_CHARACTERS_PER_MINUTE = 500;
const MOST_FREQUENT = 5;

const COMMAND =
  /^(?:text (?:statistics|stats|analysis)|(?:word|character|char|letter|sentence|line) ?(?:count|counter|statistics|stats)|count (?:the |my |all )?(?:words|characters|chars|letters|sentences|lines)|how many (?:words|characters|letters|sentences|lines)|(?:the )?most (?:frequent|common) words|reading time|文字数)/i;

/**
 * Counts words and more in a text. Finds words by Unicode rules, so Japanese and other languages without spaces work.
 */
export const textStatistics: BuiltinSkill = {
  id: "text-statistics",
  name: "Text statistics",
  description: "Counts characters, words, sentences and lines, estimates the reading time and lists frequent words.",
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
  const sentences = sentencesOf(text).length;
  const cjk = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const cjkWords = words.filter((word) => /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)).length;
  const minutes = (words.length - cjkWords) / WORDS_PER_MINUTE + cjk / CJK_CHARACTERS_PER_MINUTE;
  const rows = [
    ["Characters", countGraphemes(text)],
    ["Characters without spaces", countGraphemes(text.replace(/\s+/g, ""))],
    ["Words", words.length],
    ["Distinct words", new Set(words).size],
    ["Sentences", sentences],
    ["Lines", text.split("\n").length],
  ].map(([label, count]) => [String(label), count?.toLocaleString("en") ?? ""]);
  rows.push(["Reading time", minutes < 1 ? "under a minute" : `about ${counted(Math.round(minutes), "minute")}`]);
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
  const counts = new Map<string, number>();
  for (const word of words) if (isTopicWord(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, MOST_FREQUENT)
    .map(([word, count]) => `${oneLine(word, 30)} (${count})`)
    .join(", ");
}
