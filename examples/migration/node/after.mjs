// The same agent in A2A 1.0 and 0.3.
import { serve, UserError } from "@crosszone/agent";

function answer({ text }) {
  const words = text.match(/\p{L}+/gu);
  if (words === null) throw new UserError("This text has no words.");
  return `${words.length} words, ${text.length} characters`;
}

await serve({ name: "Word counter", description: "Counts words." }, answer);
