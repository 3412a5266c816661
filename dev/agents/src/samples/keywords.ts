import type { SampleAgent } from "./sample-agent.ts";

const mostKeywords = 5;

/** Common words that do not describe a text's topic. */
const stopWords = new Set(
  "about after again also because been before being between both but could does each from have here into just more most much only other over same should some such than that their them then there these they this those through under very were what when where which while with would your".split(
    " ",
  ),
);

/** Long-running: an A2A client gets a task and polls it. */
export const keywords: SampleAgent = {
  name: "keywords",
  description: "Sample agent: names the words that a text is about. Takes a moment, so its task is followed.",
  protocol: "jsonrpc-2.0",
  skills: [
    {
      id: "keywords",
      name: "Keywords",
      description: "The five words that a text has most often.",
      tags: ["text"],
      examples: ["The bridge asks the agent; the agent answers the bridge."],
    },
  ],
  example: "The bridge asks the agent; the agent answers the bridge.",
  takesTime: true,
  work: findKeywords,
};

/** Returns the most frequent words with four or more letters; ties in order of appearance. */
export function findKeywords(text: string): string {
  const times = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}{4,}/gu))
    if (!stopWords.has(word)) times.set(word, (times.get(word) ?? 0) + 1);
  const most = [...times].toSorted(([, one], [, other]) => other - one).slice(0, mostKeywords);
  if (most.length === 0) return "There is no word of four letters in it that says what it is about.";
  return most.map(([word, number]) => `- ${word}, ${number === 1 ? "once" : `${number} times`}`).join("\n");
}
