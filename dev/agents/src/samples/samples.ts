import { hash } from "node:crypto";
import type { A2AAgentSkill } from "@crosszone/contracts";

/** A sample agent's work on a text, independent of its protocol and timing. */
export interface SampleAgent {
  readonly name: string;
  /** For people, in one sentence. */
  readonly description: string;
  readonly protocol: "jsonrpc-2.0" | "simple-a2a";
  readonly skills: readonly A2AAgentSkill[];
  /** An example question. */
  readonly example: string;
  /** Whether it answers with a long-running task, which the caller polls. */
  readonly takesTime: boolean;
  /** Whether it changes something elsewhere. No when absent. */
  readonly sideEffects?: boolean;
  readonly work: (text: string) => string;
}

/** Words in a sentence from which it is called long. */
const longSentence = 30;

/** Answers an A2A client with a message. */
const proofreader: SampleAgent = {
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
function proofread(text: string): string {
  const words = text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  if (words.length === 0) return "There is no word in it.";
  const findings = [
    ...[...text.matchAll(/\b(\p{L}+)\s+\1\b/giu)].map(([, word]) => `“${word}” appears twice in a row.`),
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

const mostKeywords = 5;

/** Common words that do not describe a text's topic. */
const stopWords = new Set(
  "about after again also because been before being between both but could does each from have here into just more most much only other over same should some such than that their them then there these they this those through under very were what when where which while with would your".split(
    " ",
  ),
);

/** Long-running: an A2A client gets a task and polls it. */
const keywords: SampleAgent = {
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
function findKeywords(text: string): string {
  const times = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}{4,}/gu))
    if (!stopWords.has(word)) times.set(word, (times.get(word) ?? 0) + 1);
  const most = [...times].toSorted(([, one], [, other]) => other - one).slice(0, mostKeywords);
  if (most.length === 0) return "There is no word of four letters in it that says what it is about.";
  return most.map(([word, number]) => `- ${word}, ${number === 1 ? "once" : `${number} times`}`).join("\n");
}

/** Uses the older protocol, which has neither long-running tasks nor a card. */
const fingerprint: SampleAgent = {
  name: "fingerprint",
  description: "Sample agent: the SHA-256 fingerprint of a text, to compare two texts by.",
  protocol: "simple-a2a",
  skills: [],
  example: "the quick brown fox",
  takesTime: false,
  work: (text) => `SHA-256 of ${Buffer.byteLength(text)} bytes: \`${hash("sha256", text)}\``,
};

/** Marked as an agent with side effects, although it only makes up a number. */
const billing: SampleAgent = {
  name: "billing",
  description: "Sample agent: sends an invoice, or would. Ask it what to bill.",
  protocol: "jsonrpc-2.0",
  skills: [
    {
      id: "invoice",
      name: "Send an invoice",
      description: "Answers with the number of the invoice.",
      tags: ["billing"],
      examples: ["100 EUR to Acme"],
    },
  ],
  example: "100 EUR to Acme",
  takesTime: false,
  sideEffects: true,
  work: (text) => `Sent invoice ${hash("sha256", text).slice(0, 8)}: ${text}`,
};

/** Every sample agent: add yours here. */
export const samples: readonly SampleAgent[] = [proofreader, keywords, fingerprint, billing];
