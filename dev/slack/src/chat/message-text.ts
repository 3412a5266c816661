import { stripVTControlCharacters } from "node:util";
import { fileSize } from "../page/text/labels.ts";
import { type Content, messageContent } from "../page/text/message-content.ts";
import { plainText } from "../page/text/mrkdwn-node.ts";
import { parseMrkdwn } from "../page/text/mrkdwn.ts";
import { type Names, namesOf } from "../page/text/names.ts";
import { type TaskCard, taskMarks } from "../page/text/task-card.ts";
import type { FileObject, Message, Workspace } from "../protocol/workspace.ts";

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

/**
 * Returns a message's content for a terminal: mentions by name, Markdown as written, files with size and link. It has no control characters except tab
 * and newline, so a message cannot move the cursor or change colors.
 */
export function messageText(message: Message, workspace: Workspace): string {
  const names = namesOf(workspace);
  const isFolded = (content: Content): boolean => content.kind === "plan" && content.isFolded;
  // A folded plan says what was used, as the small line below an answer does.
  const contents = messageContent(message).toSorted((a, b) => Number(isFolded(a)) - Number(isFolded(b)));
  const pieces = contents.map((content) => {
    if (content.kind === "divider") return "---";
    if (content.kind === "context") return content.texts.map((text) => mrkdwnText(text, names)).join(" ");
    if (content.kind === "task") return taskLine(content.task);
    if (content.kind === "plan") {
      const shown = content.tasks.filter(({ status }) => !content.isFolded || status === "error");
      // The folded plan of an answer without steps says nothing.
      if (content.tasks.length + shown.length < 2) return "";
      return [content.title, ...shown.map(taskLine)].join("\n");
    }
    if (content.kind === "buttons") return "";
    return content.kind === "mrkdwn" ? mrkdwnText(content.text, names) : content.text;
  });
  const files = (message.files ?? []).map(fileLine);
  const text = [...pieces, ...files].join("\n").replaceAll("\r\n", "\n").trim();
  return withoutControls(text);
}

/** The link opens in a browser: Slack's own link needs a token. */
function fileLine({ id, name, size, url_private_download: url }: FileObject): string {
  const isHere = URL.parse(url)?.pathname.startsWith("/files-pri/") === true;
  return `[file ${name}, ${fileSize(size)}: ${isHere ? new URL(`/control/files/${id}`, url).href : url}]`;
}

/** Returns an agent's task as one line: status, title and output. */
export function taskLine({ title, status, output }: TaskCard): string {
  const line = `${taskMarks[status]} ${title}${output === "" ? "" : `: ${output}`}`;
  return withoutControls(line.replaceAll(/\s+/g, " "));
}

function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters to remove them
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

const mrkdwnText = (text: string, names: Names): string => plainText(parseMrkdwn(text), names);
