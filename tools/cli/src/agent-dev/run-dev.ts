import { randomUUID } from "node:crypto";
import { clearLine, createInterface, cursorTo } from "node:readline";
import { type BridgeEmit, CircuitBreakers, createAdapters, createAgentCaller } from "@crosszone/agent-bridge/wire";
import type { AgentTask } from "@crosszone/contracts";
import { steadyNow } from "@crosszone/service-kit/timing";
import { type ExitCode, exitCodes, type Session } from "../program/session.ts";
import { harmless, harmlessLine } from "../text/terminal-text.ts";
import { type Dev, type DevRequest, openDev } from "./open-dev.ts";
import type { FoundAgent } from "./start-proxy.ts";
import { type ShownAnswer, shownAnswerOf, unreadAnswer } from "./wire-display.ts";

/** Starts a conversation: every message has the same context id, and an answer to a question continues its task. */
export function converse() {
  const context_id = randomUUID();
  let open_task_id: string | undefined;
  return {
    /** Sends a text and returns the answer. Never rejects: an agent that gives no answer has the state `error`. */
    say: async (agent: FoundAgent, text: string): Promise<ShownAnswer> => {
      const task_id = randomUUID();
      const ids = { run_id: task_id, task_id, agent_name: agent.record.name, correlation_id: task_id };
      const task = { ...ids, input_data: text, context_id, open_task_id };
      const answer = await answerTo(agent, task).catch((error: Error) => unreadAnswer(error.message));
      open_task_id = answer.openTaskId;
      return answer;
    },
  };
}

/** Calls the agent as the zone does, but repeats no request that fails. */
async function answerTo({ record, client }: FoundAgent, task: AgentTask): Promise<ShownAnswer> {
  const failing = new AbortController();
  const emit: BridgeEmit = (event, ...[fields]) => {
    const { because } = { ...fields } as { readonly because?: string };
    if (event === "agent_call_retried") failing.abort(new Error(because));
  };
  const caller = createAgentCaller({ adapters: createAdapters(), client, breakers: new CircuitBreakers(), emit });
  const { output, failure } = await caller.call(task, record, {
    deadlineAt: steadyNow() + record.timeout_ms,
    signal: failing.signal,
    onRemoteId: () => Promise.resolve(),
  });
  return shownAnswerOf(output, failure);
}

/**
 * Runs an author's agent until Ctrl-C, or until the questions of `ask` are answered. Returns 1 when the last question has no answer. Throws a
 * `UsageError` when the agent or the zone can't be used.
 */
export async function runDev(
  request: DevRequest & { readonly ask: readonly string[] },
  session: Session,
): Promise<ExitCode> {
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

async function askAll(commands: ReturnType<typeof devCommands>, questions: readonly string[]): Promise<ExitCode> {
  let state = "completed";
  for (const text of questions) ({ state } = await commands.ask(text));
  return state === "completed" || state.endsWith("-required") ? exitCodes.done : exitCodes.failed;
}

/** Returns a terminal, with a prompt that lines are written above while a person may be typing. */
function openTerminal({ stdin, stdout }: Session) {
  let redraw: (() => void) | undefined;
  return {
    write: (line: string): void => {
      if (redraw !== undefined) {
        cursorTo(stdout, 0);
        clearLine(stdout, 0);
      }
      stdout.write(`${line}\n`);
      redraw?.();
    },
    /** Calls `onLine` for each line that is typed, one after the other; resolves at Ctrl-C or Ctrl-D. */
    read: async (onLine: (line: string) => Promise<void>): Promise<void> => {
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

/** Returns what the terminal can do with the agent. */
function devCommands(dev: Dev, write: (line: string) => void) {
  let conversation = converse();

  /** Asks the agent in the terminal's conversation. */
  async function ask(text: string): Promise<ShownAnswer> {
    const agent = await dev.agent();
    if (!("problem" in agent)) return conversation.say(agent, text);
    write(harmless(agent.problem));
    return unreadAnswer(agent.problem);
  }

  function command(name: string): void {
    if (name === "help") return write(devHelp);
    if (name === "wire") return write(dev.display.toggle() ? "Whole JSON." : "Compact lines.");
    if (name !== "new") return write(harmlessLine(`Unknown command /${name}. For help: /help`));
    conversation = converse();
    write("A new conversation.");
  }

  return {
    ask,
    /** Runs a line of the terminal: a question or a command. Never rejects. */
    run: async (line: string): Promise<void> => {
      const [, name] = /^\/(\S+)/.exec(line.trim()) ?? [];
      if (name !== undefined) command(name);
      else if (line.trim() !== "") await ask(line.trim());
    },
  };
}
