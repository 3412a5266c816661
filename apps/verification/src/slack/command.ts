/** What a person wants, read from the message. */
export type Command =
  | { readonly kind: "ask"; readonly text: string; readonly agent?: string }
  | { readonly kind: "run"; readonly text: string; readonly agent: string }
  | { readonly kind: "agents" }
  | { readonly kind: "stop" };

/** The same without a colon, or as `@agent text`: a command only when the name is that of an agent or a workflow. */
const loose = /^(?:(ask|run)\s+|@)(?:"([^"\n]{1,255})"|([^\s":,]{1,255}))[,:]?(?:\s+(.*))?$/is;

/** What a person may want who names somebody without a colon: a command if there is one of that name, else a question. */
export interface LooseCommand {
  readonly verb: "ask" | "run";
  readonly agent: string;
  readonly text: string;
}

/** Reads `ask <agent> …`, `run <workflow> …` and `@<agent> …`; undefined for other text, and for what `readCommand` knows. */
export function readLooseCommand(text: string): LooseCommand | undefined {
  if (readCommand(text).kind !== "ask" || naming.test(text.trim())) return undefined;
  const [, verb = "ask", quoted, plain, rest = ""] = loose.exec(text.trim()) ?? [];
  const agent = quoted ?? plain;
  return agent === undefined ? undefined : { verb: verb.toLowerCase() === "run" ? "run" : "ask", agent, text: rest };
}

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
