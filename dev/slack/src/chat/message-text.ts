import { stripVTControlCharacters } from "node:util";
import type { Message, Workspace } from "../protocol/workspace.ts";
import { messageContent } from "../page/text/message-content.ts";
import { parseMrkdwn } from "../page/text/mrkdwn.ts";
import { type Names, namesOf } from "../page/text/names.ts";
import { plainText } from "../page/text/mrkdwn-node.ts";
import { type TaskCard, taskMarks } from "../page/text/task-card.ts";

/**
 * Returns a message's content for a terminal: mentions by name, Markdown as written, files by name. It has no control characters except tab
 * and newline, so a message cannot move the cursor or change colours.
 */
export function messageText(message: Message, workspace: Workspace): string {
  const names = namesOf(workspace);
  const pieces = messageContent(message).map((content) => {
    if (content.kind === "divider") return "---";
    if (content.kind === "context") return content.texts.map((text) => mrkdwnText(text, names)).join(" ");
    if (content.kind === "task") return taskLine(content.task);
    if (content.kind === "plan") return [content.title, ...content.tasks.map(taskLine)].join("\n");
    if (content.kind === "buttons") return "";
    return content.kind === "mrkdwn" ? mrkdwnText(content.text, names) : content.text;
  });
  const files = (message.files ?? []).map((file) => `[file ${file.name}]`);
  const text = [...pieces, ...files].join("\n").replaceAll("\r\n", "\n").trim();
  return withoutControls(text);
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
