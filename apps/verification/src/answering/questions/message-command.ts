import type { ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";

/** Timeout for listing the names, milliseconds. After it the message is treated as a question. */
const timeoutMs = 3_000;

/**
 * Returns the command that a message means. `ask <name> …`, `run <name> …` and `@<name> …` without a colon are commands if an agent or a
 * workflow has that name, in any case. Otherwise they are ordinary questions, such as "ask me anything".
 */
export async function meantCommand(
  text: string,
  { zone, call }: { readonly zone: Client<ZoneMethods>; readonly call: CallOptions },
): Promise<Command> {
  const command = readCommand(text);
  const loose = readLooseCommand(text);
  if (loose === undefined) return command;
  const listed = await zone.call("list_agents", {}, { ...call, timeoutMs }).catch(() => undefined);
  const wanted = loose.agent.toLowerCase();
  const found = listed?.agents.find(({ name }) => name.toLowerCase() === wanted);
  if (found === undefined) return command;
  return { kind: found.kind === "workflow" ? "run" : "ask", agent: found.name, text: loose.text };
}

/** The command in a person's message. */
export type Command =
  | { readonly kind: "ask"; readonly text: string; readonly agent?: string }
  | { readonly kind: "run"; readonly text: string; readonly agent: string }
  | { readonly kind: "agents" }
  | { readonly kind: "stop" };

/** The same without a colon, or as `@agent text`: a command only if an agent or a workflow has the name. */
const loose = /^(?:(ask|run)\s+|@)(?:"([^"\n]{1,255})"|([^\s":,]{1,255}))[,:]?(?:\s+(.*))?$/is;

/** A possible command without a colon: a command if the name exists, otherwise a question. */
export interface LooseCommand {
  readonly verb: "ask" | "run";
  readonly agent: string;
  readonly text: string;
}

/** Reads `ask <agent> …`, `run <workflow> …` and `@<agent> …`; undefined for other text, and for commands that `readCommand` reads. */
export function readLooseCommand(text: string): LooseCommand | undefined {
  if (readCommand(text).kind !== "ask" || naming.test(text.trim())) return undefined;
  const [, verb = "ask", quoted, plain, rest = ""] = loose.exec(text.trim()) ?? [];
  const agent = quoted ?? plain;
  return agent === undefined ? undefined : { verb: verb.toLowerCase() === "run" ? "run" : "ask", agent, text: rest };
}

const naming = /^(ask|run)\s+(?:"([^"\n]{1,255})"|([^\s":]{1,255}))\s*:\s*(.*)$/is;

/** Maximum length of a text that can be `stop` and the like, including exclamation marks. */
const longestWord = 100;

/**
 * Reads `stop`, `cancel`, `agents`, `ask <agent>: …` and `run <workflow>: …` (names with spaces in double quotes). Everything else is a
 * question to the default agent.
 */
export function readCommand(text: string): Command {
  const trimmed = text.trim();
  // The pattern takes quadratic time for a text of exclamation marks.
  const word = trimmed.length > longestWord ? "" : trimmed.toLowerCase().replace(/[.!]+$/, "");
  if (word === "stop" || word === "cancel") return { kind: "stop" };
  if (word === "agents") return { kind: "agents" };
  const [, verb = "", quoted, plain, rest = ""] = naming.exec(trimmed) ?? [];
  const agent = quoted ?? plain;
  if (agent === undefined) return { kind: "ask", text };
  return { kind: verb.toLowerCase() === "run" ? "run" : "ask", agent, text: rest };
}
