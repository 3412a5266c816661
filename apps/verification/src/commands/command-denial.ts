import type { Denial } from "../policies/denial.ts";
import { denialSentence } from "../policies/denial-sentences.ts";

const unseen =
  "I am not in this conversation, so I cannot tell whether I may answer here. Please ask me directly, or in a channel where I am.";

/**
 * What is said to somebody whose command is denied; nothing to those who are met with silence. A command can be typed where the app is not,
 * as no message to it can, and its author alone sees what is said.
 */
export function commandDenial(denial: Denial, reference: string): string | undefined {
  if (denial.reason === "unknown_channel") return `${unseen}\n_Reference: ${reference}_`;
  return denialSentence(denial, reference);
}
