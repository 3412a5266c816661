import type { Message, Workspace } from "../control/protocol.ts";
import { answerPart } from "../page/text/answer-part.ts";
import { namesOf } from "../page/text/names.ts";
import { messageText } from "./message-text.ts";

/** Where the printer writes. */
export interface PrinterTarget {
  write(text: string): unknown;
  /** Columns of the terminal; nothing when lines may only be appended. */
  columns: number | undefined;
}

/** Prints a thread as it grows. */
export interface ThreadPrinter {
  /** Prints a message, new or changed; a change that shows no other text prints nothing. */
  show(message: Message): void;
  /** Takes the placeholder off the screen, if one is on it. */
  clear(): void;
}

/**
 * A printer of `name: text`, further lines indented. On a terminal a placeholder is one line that the next message
 * overwrites; elsewhere it stays, and the answer follows it.
 */
export function createThreadPrinter(target: PrinterTarget, workspace: Workspace): ThreadPrinter {
  const { columns } = target;
  const names = namesOf(workspace);
  const shown = new Map<string, string>();
  let hasPlaceholder = false;
  const clear = (): void => {
    if (hasPlaceholder) target.write("\r\u001B[2K");
    hasPlaceholder = false;
  };
  return {
    clear,
    show: (message) => {
      const name = names.get(message.user) ?? message.user;
      const text = `${name}: ${messageText(message, workspace).replace(/\n(?!\n)/g, "\n  ")}`;
      if (shown.get(message.ts) === text) return;
      shown.set(message.ts, text);
      clear();
      hasPlaceholder = columns !== undefined && message.bot_id !== undefined && answerPart(message).state === "working";
      target.write(hasPlaceholder ? firstLine(text, columns ?? 0) : `${text}\n`);
    },
  };
}

/** The first line, cut to fit: a character that is not ASCII may take two columns. */
function firstLine(text: string, columns: number): string {
  const line = text.split("\n", 1)[0] ?? "";
  let width = 0;
  return Array.from(line)
    .filter((character) => {
      width += character < "\u007F" ? 1 : 2;
      return width < columns;
    })
    .join("");
}
