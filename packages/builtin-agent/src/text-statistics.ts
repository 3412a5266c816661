import { type BuiltinSkill, code, counted, shortLine, type SkillQuestion, tableText, UserMistake } from "./skill.ts";

/**
 * Returns the text that a command of `length` characters refers to: in a code block, after a colon or line break, in quotes, or in a file, then
 * with the file's name.
 */
function documentBehind({ text, input }: SkillQuestion, length: number): { text: string; name?: string } | undefined {
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

const wordSegments = new Intl.Segmenter("en", { granularity: "word" });
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
function* wordsOf(text: string): Generator<string> {
  for (const { segment, isWordLike } of wordSegments.segment(text))
    if (isWordLike === true) yield segment.toLowerCase();
}

/** Returns trimmed sentences with at least one letter or digit. A line break always ends a sentence. */
function sentencesOf(text: string): string[] {
  return Array.from(sentences.segment(text), ({ segment }) => segment.trim()).filter((one) =>
    /[\p{L}\p{N}]/u.test(one),
  );
}

/** True for a word that says something about the topic: no stop word, single letter or Japanese particle. */
function isTopicWord(word: string): boolean {
  return !STOP_WORDS.has(word) && !/^(?:.|\p{Script=Hiragana}{1,3}|[\d.,]+)$/u.test(word);
}

/** Maximum number of analyzed characters, to keep the zone responsive. */
const MOST_CHARACTERS = 50_000;
const MOST_FREQUENT = 5;

/** Splits into characters as people see them: an emoji with its skin tone is one. */
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const COMMAND =
  /^(?:text (?:statistics|stats|analysis)|(?:word|character|char|letter|sentence|line) ?(?:count|counter|statistics|stats)|count (?:the |my |all )?(?:words|characters|chars|letters|sentences|lines)|how many (?:words|characters|letters|sentences|lines)|(?:the )?most (?:frequent|common) words|文字数)/i;

/** Returns whether a question is about a text, which may be a file of the thread. */
export const isAboutText = ({ phrase }: SkillQuestion): boolean => COMMAND.test(phrase);

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
  return `${title}${tableText(["Text", ""], rows)}${note}`;
}

function mostFrequent(words: readonly string[]): string {
  return [...Map.groupBy(words.filter(isTopicWord), (word) => word)]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .slice(0, MOST_FREQUENT)
    .map(([word, all]) => `${shortLine(word, 30)} (${all.length})`)
    .join(", ");
}
