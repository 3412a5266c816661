import { answerPart } from "../page/text/answer-part.ts";
import { namesOf } from "../page/text/names.ts";
import type { Message, Workspace } from "../protocol/workspace.ts";
import { createGrowingMessage, type GrowingMessage, messageText } from "./message-text.ts";

/** Size of a terminal, characters. */
export interface Screen {
  columns: number;
  rows: number;
}

/** Where the printer writes. */
export interface PrinterTarget {
  write(text: string): unknown;
  /** The terminal; undefined if lines can only be appended. */
  screen: Screen | undefined;
}

/** Prints a thread as it grows. */
export interface ThreadPrinter {
  /** Prints a new or changed message; prints nothing if the visible text is unchanged. */
  show(message: Message): void;
  /** Removes a placeholder from the screen, if any, and ends the line of a stream. */
  clear(): void;
}

/**
 * Makes a printer of `name: text`, with further lines indented. On a terminal, the next message overwrites a placeholder. Elsewhere, the
 * placeholder stays, followed by its changed lines and then the answer. A stream grows on a terminal; elsewhere it is printed when it has
 * ended.
 */
export function createThreadPrinter(target: PrinterTarget, workspace: Workspace): ThreadPrinter {
  const { screen } = target;
  const names = namesOf(workspace);
  const shown = new Map<string, string>();
  const growing = new Map<string, GrowingMessage>();
  let placeholderLines = 0;
  let last: GrowingMessage | undefined;
  const clear = (): void => {
    if (last?.isOpen()) target.write("\n");
    last = undefined;
    if (placeholderLines > 0) target.write(`\r\u001B[2K${"\u001B[1A\u001B[2K".repeat(placeholderLines - 1)}`);
    placeholderLines = 0;
  };
  /** Writes the new part of a stream; returns false if the text no longer continues what was written. */
  const grow = (message: Message, name: string): boolean => {
    const stream = growing.getOrInsertComputed(message.ts, () => createGrowingMessage(name, workspace));
    const piece = stream.next(message);
    if (piece === undefined) return false;
    if (last !== stream) clear();
    last = stream;
    target.write(piece);
    if (!isUnfinished(message)) clear();
    return true;
  };
  return {
    clear,
    show: (message) => {
      const name = names.get(message.user) ?? message.user;
      const text = `${name}: ${messageText(message, workspace).replace(/\n(?!\n)/g, "\n  ")}`;
      const before = shown.get(message.ts);
      if (before === text) return;
      const isStreaming = message.stream?.state === "in_progress";
      if (isUnfinished(message) && screen === undefined) return;
      shown.set(message.ts, text);
      if ((message.stream || growing.has(message.ts)) && screen && grow(message, name)) return;
      clear();
      const isPlaceholder = message.bot_id !== undefined && !isStreaming && answerPart(message).state === "working";
      if (!isPlaceholder) target.write(`${text}\n`);
      else if (screen === undefined) target.write(changedLines(text, before ?? ""));
      else {
        const lines = text.split("\n").slice(0, Math.max(1, screen.rows - 1));
        placeholderLines = lines.length;
        target.write(lines.map((line) => cut(line, screen.columns)).join("\n"));
      }
    },
  };
}

/** Returns the lines that differ from the previous ones in the same place. */
function changedLines(text: string, before: string): string {
  const old = before.split("\n");
  const changed = text.split("\n").filter((line, index) => line.trim() !== "" && line !== old[index]);
  return changed.map((line) => `${line}\n`).join("");
}

/** Returns as much of a line as fits: a character outside ASCII can take two columns. */
function cut(line: string, columns: number): string {
  let width = 0;
  return Array.from(line)
    .filter((character) => {
      width += character < "\u007F" ? 1 : 2;
      return width < columns;
    })
    .join("");
}

/** Returns true if more of a streamed message follows: a stream that ends as a placeholder is about to become the answer. */
function isUnfinished(message: Message): boolean {
  if (message.stream === undefined) return false;
  return message.stream.state === "in_progress" || answerPart(message).state === "working";
}
