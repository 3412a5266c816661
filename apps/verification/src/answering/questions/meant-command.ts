import type { ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { readCommand, readLooseCommand, type Command } from "./read-command.ts";

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
