import type { Interface } from "node:readline";
import type { Chat } from "./chat.ts";
import { RefusedError } from "./control-client.ts";

/**
 * Runs a conversation line by line until the input ends: each line is a question, asked after the previous answer. Refusals of the local
 * Slack are written to `err`, and the conversation continues. Rejects if the local Slack is unreachable.
 */
export async function converse(chat: Chat, lines: Interface, err: { write(text: string): unknown }): Promise<void> {
  let isOpen = true;
  lines.once("close", () => {
    isOpen = false;
  });
  try {
    lines.prompt();
    for await (const line of lines) {
      await answer(chat, line.trim(), err);
      if (isOpen) lines.prompt();
    }
  } finally {
    lines.close();
  }
}

async function answer(chat: Chat, text: string, err: { write(text: string): unknown }): Promise<void> {
  try {
    if (text !== "") await chat.say(text);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    err.write(`${error.message}\n`);
  }
}
