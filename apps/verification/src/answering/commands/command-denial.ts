import type { Denial } from "../../policy/denial.ts";
import { denialSentence } from "../../policy/denial-sentences.ts";

const unseen =
  "I am not in this conversation, so I cannot tell whether I may answer here. Please ask me directly, or in a channel that I am in.";

/**
 * Returns the reply to a denied command; undefined when the policy requires silence. A command can be typed where the app is not a member,
 * unlike a message to it. Only its author sees the reply.
 */
export function commandDenial(denial: Denial, reference: string): string | undefined {
  if (denial.reason === "unknown_channel") return `${unseen}\n_Reference: ${reference}_`;
  return denialSentence(denial, reference);
}
