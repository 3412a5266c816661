/** What a person wants, read from the message. */
export type Command =
  | { readonly kind: "ask"; readonly text: string; readonly agent?: string }
  | { readonly kind: "run"; readonly text: string; readonly agent: string }
  | { readonly kind: "agents" }
  | { readonly kind: "stop" };

const naming = /^(ask|run)\s+(?:"([^"\n]{1,255})"|([^\s":]{1,255}))\s*:\s*(.*)$/is;

/** `stop` and the like with as many exclamation marks as an impatient person writes. */
const longestWord = 100;

/**
 * Reads `stop`, `cancel`, `agents`, `ask <agent>: …` and `run <workflow>: …` (a name with spaces in double quotes); everything else is
 * a question to the agent that answers by default.
 */
export function readCommand(text: string): Command {
  const trimmed = text.trim();
  // The time that the pattern takes grows with the square of a text that is all exclamation marks.
  const word = trimmed.length > longestWord ? "" : trimmed.toLowerCase().replace(/[.!]+$/, "");
  if (word === "stop" || word === "cancel") return { kind: "stop" };
  if (word === "agents") return { kind: "agents" };
  const [, verb = "", quoted, plain, rest = ""] = naming.exec(trimmed) ?? [];
  const agent = quoted ?? plain;
  if (agent === undefined) return { kind: "ask", text };
  return { kind: verb.toLowerCase() === "run" ? "run" : "ask", agent, text: rest };
}
