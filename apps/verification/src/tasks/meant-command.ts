import type { ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { readCommand, readLooseCommand, type Command } from "../slack/command.ts";

/** How long the list of names may take, milliseconds. Without it the message is a question. */
const timeoutMs = 3_000;

/**
 * What a message asks for. `ask <name> …`, `run <name> …` and `@<name> …` without a colon are commands when there is an agent or a workflow of
 * that name, in any case; else they are an ordinary question, as "ask me anything" is.
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
