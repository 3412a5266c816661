/** The terminal client of the local Slack; see `usage` in `chat.ts`. */
import process from "node:process";
import { createInterface } from "node:readline";
import { type Chat, type ChatOptions, ownCommands, parseChatArguments, startChat, usage } from "./chat.ts";
import { press } from "./press.ts";
import { createControlClient, RefusedError, UnheardError, UnreachableError } from "./control-client.ts";

const exitCodes = { done: 0, failed: 1, usage: 2, unreachable: 3, timed_out: 4, interrupted: 130 } as const;
const { stdin, stdout, stderr } = process;

async function chat(options: ChatOptions): Promise<number> {
  const client = createControlClient(options.url);
  if (options.press !== undefined) {
    const { out, note, state } = await press(client, options.press, options);
    stdout.write(out);
    stderr.write(note);
    return exitCodes[state];
  }
  const isConversation = options.text === "";
  const talk = await startChat(client, options, {
    out: (text) => options.json || stdout.write(text),
    err: (text) => stderr.write(text),
    echo: !isConversation,
  });
  const interrupt = (): void => {
    if (talk.stop()) stderr.write("\nStopping. Press Ctrl+C again to exit.\n");
    else process.exit(exitCodes.interrupted);
  };
  process.on("SIGINT", interrupt);
  if (isConversation) {
    const lines = createInterface({ input: stdin, output: stdout, prompt: "> " }).on("SIGINT", interrupt);
    let isOpen = true;
    lines.once("close", () => (isOpen = false));
    stdout.write("Type a question. Ctrl+C stops an answer, Ctrl+D exits.\n");
    lines.prompt();
    for await (const line of lines) {
      if (line.trim() !== "") await say(talk, line.trim());
      if (isOpen) lines.prompt();
    }
    return exitCodes.done;
  }
  const { state, question, answers } = await talk.say(options.text);
  if (options.json) {
    const { channel, ts, thread_ts = ts } = question;
    stdout.write(`${JSON.stringify({ state, channel, thread_ts, question, answers }, undefined, 2)}\n`);
  }
  return exitCodes[state];
}

/** The conversation goes on after a refusal. */
async function say(talk: Chat, text: string): Promise<void> {
  try {
    await talk.say(text);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    stderr.write(`${error.message}\n`);
  }
}

async function run(): Promise<number> {
  const url = process.env["DEV_SLACK_URL"] || "http://127.0.0.1:3100";
  const parsed = parseChatArguments(process.argv.slice(2), url, stdin.isTTY);
  if (parsed.kind === "help") {
    stdout.write(usage);
    return exitCodes.done;
  }
  if (parsed.kind === "usage") {
    stderr.write(`${parsed.problem}\n\n${usage}`);
    return exitCodes.usage;
  }
  try {
    return await chat(parsed.options);
  } catch (error) {
    if (error instanceof UnreachableError) {
      stderr.write(`Cannot reach the local Slack at ${parsed.options.url}. Start it with: ${ownCommands.start}\n`);
      return exitCodes.unreachable;
    }
    if (!(error instanceof RefusedError)) throw error;
    if (error instanceof UnheardError) {
      stderr.write(`${error.message}\n`);
      return exitCodes.failed;
    }
    stderr.write(`The local Slack refused: ${error.message}\n`);
    return exitCodes.usage;
  }
}

// The reader of the output has closed it, as in `./crosszone chat … | head`.
stdout.on("error", () => process.exit());
process.exitCode = await run();
