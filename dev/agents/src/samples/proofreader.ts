import type { SampleAgent } from "./sample-agent.ts";

/** Words in a sentence from which it is called long. */
const longSentence = 30;

/** Answers an A2A client at once, with a message. */
export const proofreader: SampleAgent = {
  name: "proofreader",
  description: "Sample agent: finds doubled words, spaces before punctuation and sentences that are too long.",
  protocol: "jsonrpc-2.0",
  skills: [
    {
      id: "proofread",
      name: "Proofread",
      description: "Looks for slips in an English text.",
      tags: ["text"],
      examples: ["This is is a test ."],
    },
  ],
  example: "This is is a test .",
  takesTime: false,
  work: proofread,
};

/** Returns the findings for a text, one line each. */
export function proofread(text: string): string {
  const words = text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  if (words.length === 0) return "There is no word in it.";
  const findings = [
    ...[...text.matchAll(/\b(\p{L}+)\s+\1\b/giu)].map(([, word]) => `“${word}” is there twice in a row.`),
    ...[...text.matchAll(/(\S+)\s+([,.;:!?])/gu)].map(
      ([, word, mark]) => `There is a space between “${word}” and “${mark}”.`,
    ),
    ...text
      .split(/[.!?]+\s/u)
      .map((sentence) => sentence.trim().split(/\s+/u))
      .filter((sentence) => sentence.length > longSentence)
      .map(
        (sentence) => `The sentence that begins with “${sentence.slice(0, 4).join(" ")}” has ${sentence.length} words.`,
      ),
  ];
  if (findings.length === 0) return `Nothing to change in ${count(words.length, "word")}.`;
  return [`${count(findings.length, "thing")} to look at:`, ...findings.map((finding) => `- ${finding}`)].join("\n");
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
