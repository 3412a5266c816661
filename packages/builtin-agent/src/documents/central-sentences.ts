import { isTopicWord, wordsOf } from "./segments.ts";

/**
 * Returns the indexes of the most representative sentences, in the order of the text. A topic word weighs as often as
 * the text contains it. A sentence weighs the sum of its distinct words, divided by the square root of their count, so
 * that long sentences don't win by length alone. Linear time.
 */
export function centralSentences(sentences: readonly string[], count: number): number[] {
  const words = sentences.map((sentence) => new Set([...wordsOf(sentence)].filter(isTopicWord)));
  const frequency = new Map<string, number>();
  for (const set of words) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weights = words.map((set) => {
    let weight = 0;
    for (const word of set) weight += Math.log2(1 + (frequency.get(word) ?? 0));
    return set.size < 2 ? 0 : weight / Math.sqrt(set.size);
  });
  return weights
    .map((weight, index) => ({ weight, index }))
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .slice(0, count)
    .map(({ index }) => index)
    .toSorted((left, right) => left - right);
}
