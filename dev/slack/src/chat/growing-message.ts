import type { Message, Workspace } from "../protocol/workspace.ts";
import { messageContent } from "../page/text/message-content.ts";
import { messageText, taskLine } from "./message-text.ts";

/** Returns the new part of a message while the app streams it. */
export interface GrowingMessage {
  /**
   * Returns the text to append: a line for each changed task, and the added text. Undefined if the message no longer starts with the
   * written text.
   */
  next(message: Message): string | undefined;
  /** Returns true if the last written line continues. */
  isOpen(): boolean;
}

/** Starts with an empty message; `name` precedes its first words. */
export function createGrowingMessage(name: string, workspace: Workspace): GrowingMessage {
  const lines = new Map<number, string>();
  let written = "";
  let hasBegun = false;
  let isOpen = false;

  const newLine = (): string => {
    const start = isOpen ? "\n  " : "  ";
    const lead = hasBegun ? start : `${name}: `;
    hasBegun = true;
    return lead;
  };

  return {
    isOpen: () => isOpen,
    next: (message) => {
      const { blocks: _blocks, ...withoutBlocks } = message;
      const text = messageText(withoutBlocks, workspace);
      if (!text.startsWith(written)) return undefined;
      const added = text.slice(written.length);
      written = text;
      let piece = "";
      for (const [index, line] of taskLines(message).entries()) {
        if (lines.get(index) === line) continue;
        lines.set(index, line);
        piece += `${newLine()}${line}\n`;
        isOpen = false;
      }
      if (added === "") return piece;
      piece += (isOpen ? "" : newLine()) + added.replace(/\n(?!\n)/g, "\n  ");
      isOpen = true;
      return piece;
    },
  };
}

function taskLines(message: Message): string[] {
  return messageContent(message).flatMap((content) => {
    if (content.kind === "plan") return content.tasks.map(taskLine);
    return content.kind === "task" ? [taskLine(content.task)] : [];
  });
}
