import { answerPart, type TaskCard, taskMarks } from "../page/text/task-card.ts";
import { type Names, namesOf } from "../page/text/names.ts";
import type { FileObject, Message, Workspace } from "../protocol/workspace.ts";
import { stripVTControlCharacters } from "node:util";
import { fileSize } from "../page/text/labels.ts";
import type { Content } from "../page/text/content.ts";
import { type BlockElement, elementLabels } from "../page/text/block-element.ts";
import { messageContent } from "../page/text/message-content.ts";
import { mrkdwnWords, richTextWords } from "../page/text/rich-text.ts";

/**
 * Returns a function that prints a new or changed message as `name: text`, with further lines indented; it prints nothing if the visible
 * text is unchanged. Of a placeholder it prints the changed lines, and a stream when it has ended.
 */
export function createThreadPrinter(
  write: (text: string) => unknown,
  workspace: Workspace,
): (message: Message) => void {
  const names = namesOf(workspace);
  const shown = new Map<string, string>();
  return (message) => {
    const text = `${names.get(message.user) ?? message.user}: ${messageText(message, workspace).replace(/\n(?!\n)/g, "\n  ")}`;
    const before = shown.get(message.ts);
    if (before === text || isUnfinished(message)) return;
    shown.set(message.ts, text);
    const isPlaceholder = message.bot_id !== undefined && answerPart(message).state === "working";
    write(isPlaceholder ? changedLines(text, before ?? "") : `${text}\n`);
  };
}

/** Returns the lines that differ from the previous ones in the same place. */
function changedLines(text: string, before: string): string {
  const old = before.split("\n");
  const changed = text.split("\n").filter((line, index) => line.trim() !== "" && line !== old[index]);
  return changed.map((line) => `${line}\n`).join("");
}

/** Returns true if more of a streamed message follows: a stream that ends as a placeholder is about to become the answer. */
function isUnfinished(message: Message): boolean {
  if (message.stream === undefined) return false;
  return message.stream.state === "in_progress" || answerPart(message).state === "working";
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
  const pieces = contents.map((content) => contentText(content, names)).filter((piece) => piece !== "");
  const files = (message.files ?? []).map(fileLine);
  const text = [...pieces, ...files].join("\n").replaceAll("\r\n", "\n").trim();
  return withoutControls(text);
}

function contentText(content: Content, names: Names): string {
  switch (content.kind) {
    case "divider":
      return "---";
    case "context":
      return content.texts.map((text) => mrkdwnWords(text, names)).join(" ");
    case "task":
      return taskLine(content.task);
    case "plan": {
      const shown = content.tasks.filter(({ status }) => !content.isFolded || status === "error");
      // The folded plan of an answer without steps says nothing.
      return content.tasks.length + shown.length < 2 ? "" : [content.title, ...shown.map(taskLine)].join("\n");
    }
    case "group": {
      const lines = [content.title, ...content.contents.map((one) => contentText(one, names))]
        .filter(Boolean)
        .join("\n");
      return content.style === "attachment" ? lines.replaceAll(/^/gm, "> ") : lines;
    }
    case "table":
      return content.rows.map((row) => `| ${row.map((cell) => contentText(cell, names)).join(" | ")} |`).join("\n");
    case "image":
      return `[image ${content.alt}]`;
    case "controls":
      return buttonsLine(content.elements);
    case "input":
      return `${content.label}: ${buttonsLine([content.element])}`;
    case "rich":
      return richTextWords(content.block, names);
    case "mrkdwn":
      return mrkdwnWords(content.text, names);
    case "markdown":
    case "plain":
    case "heading":
    default:
      return content.text;
  }
}

/** Leaves out the thumbs, which every answer has. */
const buttonsLine = (elements: readonly BlockElement[]): string =>
  elements
    .filter(({ type }) => type !== "feedback_buttons")
    .flatMap(elementLabels)
    .map((label) => `[${label}]`)
    .join(" ");

/** The link opens in a browser: Slack's own link needs a token. */
function fileLine({ id, name, size, url_private_download: url }: FileObject): string {
  const isHere = URL.parse(url)?.pathname.startsWith("/files-pri/") === true;
  return `[file ${name}, ${fileSize(size)}: ${isHere ? new URL(`/control/files/${id}`, url).href : url}]`;
}

/** Returns an agent's task as one line: status, title and output. */
function taskLine({ title, status, output }: TaskCard): string {
  const line = `${taskMarks[status]} ${title}${output === "" ? "" : `: ${output}`}`;
  return withoutControls(line.replaceAll(/\s+/g, " "));
}

function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters to remove them
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
