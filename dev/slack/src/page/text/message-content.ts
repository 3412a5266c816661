import type { Message } from "../../protocol/workspace.ts";
import { type TaskCard, taskCardOf } from "./task-card.ts";

/** One piece of a message, in the format that the app used. */
export type Content =
  | { kind: "mrkdwn" | "markdown" | "plain" | "heading"; text: string }
  | { kind: "context"; texts: string[] }
  | { kind: "task"; task: TaskCard }
  | { kind: "plan"; title: string; tasks: TaskCard[]; isFolded: boolean }
  | { kind: "buttons"; labels: string[] }
  | { kind: "divider" };

/** Returns the contents with neighboring task cards folded into one, as the display `dense` shows them. */
function foldTasks(contents: readonly Content[]): Content[] {
  return contents.reduce<Content[]>((folded, content) => {
    const last = folded.at(-1);
    if (content.kind !== "task" || (last?.kind !== "task" && !(last?.kind === "plan" && last.isFolded)))
      return [...folded, content];
    const tasks = [...(last.kind === "task" ? [last.task] : last.tasks), content.task];
    return [...folded.slice(0, -1), { kind: "plan", title: `${tasks.length} steps`, tasks, isFolded: true }];
  }, []);
}

interface Block {
  type?: unknown;
  text?: unknown;
  elements?: unknown;
  title?: unknown;
  tasks?: unknown;
}

/**
 * Returns what to draw for a message: its blocks if the page supports all of them, else its Markdown, else its mrkdwn text. As in Slack,
 * `text` is only the fallback of a message with blocks.
 */
export function messageContent(message: Message): Content[] {
  const isEnded = message.stream === undefined || message.stream.state === "completed";
  const blocks = (message.blocks ?? []).map((block) => blockContent((block ?? {}) as Block, isEnded));
  if (blocks.length > 0 && blocks.every((content) => content !== undefined))
    return message.stream?.display === "dense" ? foldTasks(blocks) : blocks;
  if (message.markdown_text !== undefined) return [{ kind: "markdown", text: message.markdown_text }];
  return message.text === "" ? [] : [{ kind: "mrkdwn", text: message.text }];
}

/** A plan folds when its message has ended. */
function blockContent(block: Block, isEnded: boolean): Content | undefined {
  switch (block.type) {
    case "divider":
      return { kind: "divider" };
    case "markdown":
      return typeof block.text === "string" ? { kind: "markdown", text: block.text } : undefined;
    case "header":
      return { kind: "heading", text: textOf(block.text).text };
    case "section":
      return block.text === undefined ? undefined : textOf(block.text);
    case "context":
      return {
        kind: "context",
        texts: (Array.isArray(block.elements) ? block.elements : []).map((e) => textOf(e).text),
      };
    case "task_card":
      return { kind: "task", task: taskCardOf(block) };
    case "plan":
      return {
        kind: "plan",
        title: typeof block.title === "string" ? block.title : "",
        tasks: (Array.isArray(block.tasks) ? block.tasks : []).map(taskCardOf),
        isFolded: isEnded,
      };
    case "context_actions":
      return { kind: "buttons", labels: (Array.isArray(block.elements) ? block.elements : []).flatMap(buttonLabels) };
    default:
      return undefined;
  }
}

function textOf(object: unknown): { kind: "mrkdwn" | "plain"; text: string } {
  const { type, text } = (object ?? {}) as { type?: unknown; text?: unknown };
  return { kind: type === "mrkdwn" ? "mrkdwn" : "plain", text: typeof text === "string" ? text : "" };
}

/** Returns the labels of an icon button, or of the two feedback buttons. */
function buttonLabels(element: unknown): string[] {
  const { positive_button, negative_button, text } = (element ?? {}) as Record<string, unknown>;
  const buttons = text === undefined ? [positive_button, negative_button] : [element];
  return buttons.map((button) => textOf((button as { text?: unknown } | undefined)?.text).text);
}
