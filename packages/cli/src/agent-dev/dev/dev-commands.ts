import { harmless, harmlessLine } from "../../text/terminal-text.ts";
import { converse, type Conversation } from "../talk/converse.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { fromHeader } from "../wire/relay.ts";
import type { Dev } from "./open-dev.ts";

export const devHelp = `Type a question to ask the agent.
  /new    start a new conversation
  /wire   show whole JSON, or compact lines again
  /help   show this
  Ctrl-C  end everything`;

export interface DevCommands {
  /** Runs a line of the terminal: a question or a command. Never rejects. */
  readonly run: (line: string) => Promise<void>;
  /** Asks the agent in the terminal's conversation. */
  readonly ask: (text: string) => Promise<AgentAnswer>;
}

/** Returns what the terminal can do with the agent. */
export function devCommands(dev: Dev, write: (line: string) => void): DevCommands {
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
