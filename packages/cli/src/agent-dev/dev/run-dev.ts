import { clearLine, createInterface, cursorTo } from "node:readline";
import { type ExitCode, exitCodes } from "../../program/errors.ts";
import type { Session } from "../../program/session.ts";
import { type DevRequest, openDev, type Dev } from "./open-dev.ts";
import { harmless, harmlessLine } from "../../text/terminal-text.ts";
import { converse, type Conversation } from "../talk/converse.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { fromHeader } from "../wire/relay.ts";

export interface RunDevRequest extends DevRequest {
  /** Questions to ask, one conversation; then the command ends. */
  readonly ask: readonly string[];
}

/**
 * Runs an author's agent until Ctrl-C, or until the questions of `ask` are answered. Returns 1 when the last question has no answer. Throws a
 * `UsageError` when the agent or the zone can't be used.
 */
export async function runDev(request: RunDevRequest, session: Session): Promise<ExitCode> {
  const { stdin, stdout, onStop } = session;
  const isTerminal = stdout.isTTY === true && (stdin as { readonly isTTY?: boolean }).isTTY === true;
  const terminal = openTerminal(session);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  const stopListening = onStop(() => stop(undefined));
  const opening = openDev({ request, session, write: terminal.write });
  try {
    const dev = await Promise.race([opening, stopped]);
    if (dev === undefined) return exitCodes.done;
    const commands = devCommands(dev, terminal.write);
    if (request.ask.length > 0)
      return (await Promise.race([askAll(commands, request.ask), stopped])) ?? exitCodes.interrupted;
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

async function askAll(commands: DevCommands, questions: readonly string[]): Promise<ExitCode> {
  let state = "completed";
  for (const text of questions) ({ state } = await commands.ask(text));
  return state === "completed" || state.endsWith("-required") ? exitCodes.done : exitCodes.failed;
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

const devHelp = `Type a question to ask the agent.
  /new    start a new conversation
  /wire   show whole JSON, or compact lines again
  /help   show this
  Ctrl-C  end everything`;

interface DevCommands {
  /** Runs a line of the terminal: a question or a command. Never rejects. */
  readonly run: (line: string) => Promise<void>;
  /** Asks the agent in the terminal's conversation. */
  readonly ask: (text: string) => Promise<AgentAnswer>;
}

/** Returns what the terminal can do with the agent. */
function devCommands(dev: Dev, write: (line: string) => void): DevCommands {
  let conversation: { readonly with: string; readonly own: Conversation } | undefined;

  async function ask(text: string): Promise<AgentAnswer> {
    const agent = await dev.agent();
    if ("problem" in agent) {
      write(harmless(agent.problem));
      return { state: "error", text: agent.problem, data: [], files: [] };
    }
    const kind = `${agent.adapter.protocol} ${agent.url} ${agent.streams}`;
    if (conversation?.with !== kind)
      conversation = {
        with: kind,
        own: converse(agent, { headers: { [fromHeader]: "terminal" }, timeoutMs: 600_000 }),
      };
    return conversation.own.say(text);
  }

  function command(name: string): void {
    if (name === "help") return write(devHelp);
    if (name === "wire") return write(dev.display.toggle() ? "Whole JSON." : "Compact lines.");
    if (name !== "new") return write(harmlessLine(`Unknown command /${name}. For help: /help`));
    conversation = undefined;
    write("A new conversation.");
  }

  return {
    ask,
    run: async (line) => {
      const [, name] = /^\/(\S+)/.exec(line.trim()) ?? [];
      if (name !== undefined) command(name);
      else if (line.trim() !== "") await ask(line.trim());
    },
  };
}
