import type { ThreadMessage } from "@crosszone/contracts";
import type { ModelMessage } from "ai";
import { estimateTokens } from "../usage/estimate-tokens.ts";

export interface ThreadReading {
  /** Slack user id of the person who asks. */
  readonly userId: string | undefined;
  /** How many tokens the thread may have, by estimate. */
  readonly mostTokens: number;
}

export interface ReadThread {
  readonly messages: ModelMessage[];
  /** Whether a message is among them that the person who asks did not write. */
  readonly hasOthers: boolean;
}

type Turn = Readonly<{ role: "user" | "assistant"; text: string; own: boolean }>;

/**
 * Makes a conversation of the earlier messages of a thread: the app's own are the assistant's, those of other people name their author.
 * The newest that fit are kept. The app's own words count as content of others: they may repeat what a file or an agent said.
 */
export function readThread(thread: readonly ThreadMessage[], { userId, mostTokens }: ThreadReading): ReadThread {
  const turns = thread.filter(({ text }) => text.trim() !== "").map((message) => turnOf(message, userId));
  const kept = newest(turns, mostTokens);
  const omitted = turns.length - kept.length;
  const opening: ModelMessage[] =
    omitted > 0 || kept[0]?.role === "assistant"
      ? [
          {
            role: "user",
            content: omitted > 0 ? `(${omitted} earlier messages are left out.)` : "(The thread begins.)",
          },
        ]
      : [];
  return {
    messages: [...opening, ...kept.map(({ role, text }): ModelMessage => ({ role, content: text }))],
    hasOthers: kept.some(({ own }) => !own),
  };
}

function turnOf({ text, user, bot }: ThreadMessage, userId: string | undefined): Turn {
  if (bot === true) return { role: "assistant", text, own: false };
  const own = user !== undefined && user === userId;
  return own
    ? { role: "user", text, own }
    : { role: "user", text: `[Message of another person, ${user ?? "unknown"}]\n${text}`, own };
}

function newest(turns: readonly Turn[], mostTokens: number): readonly Turn[] {
  let room = mostTokens;
  let first = turns.length;
  while (first > 0) {
    room -= estimateTokens(turns[first - 1]?.text ?? "");
    if (room < 0) break;
    first -= 1;
  }
  return turns.slice(first);
}
