import { clearLine, createInterface, cursorTo } from "node:readline";
import { type ExitCode, exitCodes } from "../../program/errors.ts";
import type { Session } from "../../program/session.ts";
import { secretsIn } from "../wire/cassette.ts";
import { devCommands, type DevCommands } from "./dev-commands.ts";
import { type DevRequest, openDev } from "./open-dev.ts";

export interface RunDevRequest extends DevRequest {
  /** Questions to ask, one conversation; then the command ends. */
  readonly ask: readonly string[];
  /** Name of the cassette to save after the questions. */
  readonly record?: string;
  /** Cassettes to send; then the command ends. */
  readonly replay: readonly string[];
}

/**
 * Runs an author's agent until Ctrl-C, or until the questions of `ask` and the cassettes of `replay` are answered. Returns 1 when a question has
 * no answer or a cassette another one. Throws a
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
    if (request.ask.length + request.replay.length > 0)
      return (await Promise.race([askAll(commands, request), stopped])) ?? exitCodes.interrupted;
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

async function askAll(commands: DevCommands, { ask, record, replay }: RunDevRequest): Promise<ExitCode> {
  let state = "completed";
  for (const text of ask) ({ state } = await commands.ask(text));
  if (record !== undefined) commands.save(record);
  let isSame = true;
  for (const path of replay) isSame = (await commands.replay(path)) && isSame;
  return isSame && (state === "completed" || state.endsWith("-required")) ? exitCodes.done : exitCodes.failed;
}

/** Where lines go while a person may be typing. */
interface Terminal {
  readonly write: (line: string) => void;
  /** Calls `onLine` for each line that is typed, one after the other; resolves at Ctrl-C or Ctrl-D. */
  readonly read: (onLine: (line: string) => Promise<void>) => Promise<void>;
}

/** Returns a terminal with a prompt that lines are written above. */
function openTerminal({ stdin, stdout }: Session): Terminal {
  let redraw: (() => void) | undefined;
  return {
    write: (line) => {
      if (redraw !== undefined) {
        cursorTo(stdout, 0);
        clearLine(stdout, 0);
      }
      stdout.write(`${line}\n`);
      redraw?.();
    },
    read: async (onLine) => {
      const lines = createInterface({ input: stdin as unknown as NodeJS.ReadableStream, output: stdout, prompt: "> " });
      redraw = () => lines.prompt(true);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      let last = Promise.resolve();
      lines.on("line", (line) => {
        last = last.then(() => onLine(line)).then(() => lines.prompt());
      });
      lines.once("SIGINT", () => resolve(undefined)).once("close", () => resolve(undefined));
      lines.prompt();
      await promise;
      redraw = undefined;
      lines.close();
      stdout.write("\n");
    },
  };
}
