import { join } from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Session } from "./program/session.ts";
import { agentFolder } from "./testing/run-agent-command.ts";
import { runDev } from "./agent-dev/run-dev.ts";

/** A terminal for tests, which read its screen. */
function openSession() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 120, rows: 40 });
  let output = "";
  let seen = 0;
  stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  const session: Session = {
    stdin,
    stdout,
    stderr: stdout,
    isLive: true,
    env: { PATH: "/usr/bin:/bin" },
    verification: () => undefined,
    api: () => {
      throw new Error("No zone is asked.");
    },
    onInterrupt: () => () => undefined,
    onStop: () => () => undefined,
  };
  /** Waits until these words come after the last ones. */
  const shows = async (words: string): Promise<void> => {
    const text = (): string => stripVTControlCharacters(output).slice(seen);
    await expect.poll(text, { timeout: 20_000 }).toContain(words);
    seen += text().indexOf(words) + words.length;
  };
  return {
    session,
    shows,
    type: (line: string) => void stdin.write(`${line}\n`),
    leave: () => void stdin.write("\u0003"),
  };
}

test("in a terminal: a question, the wire, a new conversation, and Ctrl-C", async () => {
  const folder = agentFolder("node");
  const { session, shows, type, leave } = openSession();
  const ended = runDev({ target: join(folder, "agent.mjs"), slack: false, wire: false, ask: [] }, session);
  await shows("Type a question, or /help.");
  type("How many words?");
  await shows('→ 1 SendMessage "How many words?"');
  await shows("    3 words, 15 characters");
  type("/new");
  await shows("A new conversation.");
  type("/wire");
  type("and now");
  await shows('"method": "SendMessage"');
  type("/sav x");
  await shows("Unknown command /sav. For help: /help");
  leave();
  await shows("Stopping.");
  expect(await ended).toBe(0);
});
