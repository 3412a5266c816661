/** What a person wants, read from the message. */
export type Command =
  | { readonly kind: "ask"; readonly text: string; readonly agent?: string }
  | { readonly kind: "agents" }
  | { readonly kind: "stop" };

const asking = /^ask\s+(?:"([^"\n]{1,255})"|([^\s":]{1,255}))\s*:\s*(.*)$/is;

/**
 * Reads `stop`, `cancel`, `agents` and `ask <agent>: …` (a name with spaces in double quotes); everything else is a question to the
 * agent that answers by default.
 */
export function readCommand(text: string): Command {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, "");
  if (word === "stop" || word === "cancel") return { kind: "stop" };
  if (word === "agents") return { kind: "agents" };
  const [, quoted, plain, question] = asking.exec(text.trim()) ?? [];
  const agent = quoted ?? plain;
  return agent === undefined ? { kind: "ask", text } : { kind: "ask", agent, text: question ?? "" };
}
