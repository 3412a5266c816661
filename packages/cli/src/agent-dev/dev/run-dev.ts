import { exitCodes, type ExitCode } from "../../arguments/command.ts";
import type { Session } from "../../session.ts";
import { secretsIn } from "../model/model-exchange.ts";
import { devCommands, type DevCommands } from "./dev-commands.ts";
import { openDev, type DevRequest } from "./open-dev.ts";
import { openTerminal } from "./terminal.ts";

export interface RunDevRequest extends DevRequest {
  /** Questions to ask, one conversation; then the command ends. */
  readonly ask: readonly string[];
  /** Name of the cassette to save after the questions. */
  readonly record?: string | undefined;
}

/**
 * Runs an author's agent until Ctrl-C, or until the questions of `ask` are answered. Returns 1 when one of them has no answer. Throws a
 * `UsageError` when the agent or the zone can't be used.
 */
export async function runDev(request: RunDevRequest, session: Session): Promise<ExitCode> {
  const { stdin, stdout, env, onStop } = session;
  const isTerminal = stdout.isTTY === true && (stdin as { readonly isTTY?: boolean }).isTTY === true;
  const terminal = openTerminal(session);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  const stopListening = onStop(() => stop(undefined));
  const opening = openDev({ request, session, write: terminal.write });
  try {
    const dev = await Promise.race([opening, stopped]);
    if (dev === undefined) return exitCodes.done;
    const commands = devCommands(dev, secretsIn(env), terminal.write);
    if (request.ask.length > 0) return (await Promise.race([askAll(commands, request), stopped])) ?? exitCodes.left;
    if (isTerminal) {
      terminal.write("Type a question, or /help.");
      await Promise.race([terminal.read(commands.run), stopped]);
    } else await stopped;
    terminal.write("Stopping.");
    return exitCodes.done;
  } finally {
    await opening.then(
      (dev) => dev.close(),
      () => undefined,
    );
    stopListening();
  }
}

async function askAll(commands: DevCommands, { ask, record }: RunDevRequest): Promise<ExitCode> {
  let state = "";
  for (const text of ask) ({ state } = await commands.ask(text));
  if (record !== undefined) commands.save(record);
  return state === "completed" || state.endsWith("-required") ? exitCodes.done : exitCodes.failed;
}
