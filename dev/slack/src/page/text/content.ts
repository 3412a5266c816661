import type { Block, BlockElement } from "./block-element.ts";
import type { TaskCard } from "./task-card.ts";

/** One piece of a message or a modal, in the format that the app used. */
export type Content =
  | { kind: "mrkdwn" | "markdown" | "plain" | "heading"; text: string }
  | { kind: "rich"; block: Block }
  | { kind: "context"; texts: string[] }
  /** The first row is the heading. */
  | { kind: "table"; rows: Content[][] }
  | { kind: "task"; task: TaskCard }
  | { kind: "plan"; title: string; tasks: TaskCard[]; isFolded: boolean }
  | { kind: "group"; style: GroupStyle; title: string; contents: Content[]; color?: string }
  | { kind: "image"; url: string; alt: string }
  | { kind: "controls"; block: string; elements: BlockElement[] }
  | InputContent
  | { kind: "divider" };

/** How the contents of a group are arranged. A `container` folds; the `title` of an `alert` is its level. */
export type GroupStyle = "section" | "fields" | "card" | "container" | "alert" | "attachment";

/** An input with its label. */
export interface InputContent {
  kind: "input";
  block: string;
  label: string;
  hint: string;
  isOptional: boolean;
  /** Slack keeps the value for the submission and does not send each change. */
  isQuiet: boolean;
  element: BlockElement;
}

/** Returns true if a person can use something in the content. */
export const hasControls = (content: Content): boolean => elementsIn([content]).length > 0;

/** Returns the elements that a person can use, each with the id of its block. */
export function elementsIn(contents: readonly Content[]): { block: string; element: BlockElement }[] {
  return contents.flatMap((content) => {
    if (content.kind === "group") return elementsIn(content.contents);
    if (content.kind === "input") return [{ block: content.block, element: content.element }];
    return content.kind === "controls" ? content.elements.map((element) => ({ block: content.block, element })) : [];
  });
}
