import { UsageError } from "../../program/errors.ts";
import { harmless, harmlessLine } from "../../text/terminal-text.ts";
import { cassetteOf, cassettePath, readCassette, writeCassette } from "../wire/cassette.ts";
import { converse, type Conversation } from "../talk/converse.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { fromHeader } from "../wire/relay.ts";
import { lastConversation } from "../wire/conversations.ts";
import type { Dev } from "./open-dev.ts";
import { replay, replayCassette, sameAnswer } from "./replay.ts";

export const devHelp = `Type a question to ask the agent.
  /replay [n]   send the last message or exchange n again and show the difference; also a cassette: /replay <file>
  /save <name>  write the last conversation to cassettes/<name>.json
  /new          start a new conversation
  /wire         show whole JSON, or compact lines again
  /help         show this
  Ctrl-C        end everything`;

export interface DevCommands {
  /** Runs a line of the terminal: a question or a command. Never rejects. */
  readonly run: (line: string) => Promise<void>;
  /** Asks the agent in the terminal's conversation. */
  readonly ask: (text: string) => Promise<AgentAnswer>;
  /** Sends the messages of a cassette, and returns whether the answer is the recorded one. */
  readonly replay: (path: string) => Promise<boolean>;
  /** Saves the last conversation; throws a `UsageError` when there is none. */
  readonly save: (name: string) => void;
}

/** Returns what the terminal can do with the agent. `secrets` are kept out of cassettes. */
export function devCommands(dev: Dev, secrets: readonly string[], write: (line: string) => void): DevCommands {
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
    return conversation.own.say({ text });
  }

  function save(name: string): void {
    const path = cassettePath(name);
    const cassette = cassetteOf(path, lastConversation(dev.proxy.exchanges));
    writeCassette(path, cassette, secrets);
    const { messages, wire } = cassette;
    write(harmlessLine(`Saved ${path}: ${counted(messages.length, "message")}, ${counted(wire.length, "exchange")}`));
  }

  async function command(name: string, rest: string): Promise<void> {
    if (name === "help") return write(devHelp);
    if (name === "wire") return write(dev.display.toggle() ? "Whole JSON." : "Compact lines.");
    if (name === "new") {
      conversation = undefined;
      return write("A new conversation.");
    }
    if (name === "save") return rest === "" ? write("Name the cassette: /save <name>") : save(rest);
    if (name !== "replay") return write(harmlessLine(`Unknown command /${name}. For help: /help`));
    if (rest !== "" && !/^\d+$/.test(rest)) return void (await replayFile(dev, rest, write));
    const agent = await dev.agent();
    if ("problem" in agent) return write(harmless(agent.problem));
    const { exchanges, url: proxyUrl } = dev.proxy;
    const lines = await replay({ exchanges, agent, proxyUrl, n: rest === "" ? undefined : Number(rest) });
    for (const line of lines) write(harmlessLine(line));
  }

  return {
    ask,
    replay: (path) => replayFile(dev, path, write),
    save,
    run: async (line) => {
      const [, name, rest = ""] = /^\/(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
      try {
        if (name !== undefined) await command(name, rest.trim());
        else if (line.trim() !== "") await ask(line.trim());
      } catch (error) {
        if (!(error instanceof UsageError) && !(error instanceof Error)) throw error;
        write(harmless(error.message));
      }
    },
  };
}

async function replayFile(dev: Dev, path: string, write: (line: string) => void): Promise<boolean> {
  const cassette = readCassette(path);
  const agent = await dev.agent();
  const lines = "problem" in agent ? [agent.problem] : await replayCassette(cassette, agent);
  for (const line of lines) write(harmlessLine(line));
  return lines[0] === sameAnswer;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
