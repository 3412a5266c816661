import { type Block, type BlockElement, listOf, stringOf, textOf, words } from "./block-element.ts";
import { richTextWords, type TaskCard, taskCardOf } from "./task-card.ts";

/** One piece of a message or a modal, in the format that the app used. */
export type Content =
  | { kind: "mrkdwn" | "markdown" | "plain" | "heading"; text: string }
  | { kind: "context"; texts: string[] }
  | { kind: "task"; task: TaskCard }
  | { kind: "plan"; title: string; tasks: TaskCard[]; isFolded: boolean }
  | { kind: "group"; style: GroupStyle; title: string; contents: Content[] }
  | { kind: "image"; url: string; alt: string }
  | { kind: "controls"; block: string; elements: BlockElement[] }
  | InputContent
  | { kind: "divider" };

/** How the contents of a group are arranged. A `container` folds; the `title` of an `alert` is its level. */
type GroupStyle = "section" | "fields" | "card" | "container" | "alert";

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

/** Returns what to draw for a block; undefined if the page does not support it. A plan folds when its message has ended. */
export function blockContent(block: Block, isEnded: boolean): Content | undefined {
  const group = (style: GroupStyle, contents: (Content | undefined)[], title = ""): Content | undefined =>
    contents.includes(undefined) ? undefined : { kind: "group", style, title, contents: contents.filter(isKnown) };
  switch (block["type"]) {
    case "divider":
      return { kind: "divider" };
    case "markdown":
      return typeof block["text"] === "string" ? { kind: "markdown", text: block["text"] } : undefined;
    case "header":
      return { kind: "heading", text: words(block["text"]) };
    case "section":
      return sectionContent(block);
    case "context":
      return { kind: "context", texts: listOf(block["elements"]).map(contextWords) };
    case "image":
      return imageOf(block);
    case "task_card":
      return { kind: "task", task: taskCardOf(block) };
    case "plan": {
      const tasks = listOf(block["tasks"]).map(taskCardOf);
      return { kind: "plan", title: stringOf(block["title"]), tasks, isFolded: isEnded };
    }
    case "actions":
    case "context_actions":
      return controlsOf(block, block["elements"]);
    case "container":
      return group(
        "container",
        listOf(block["child_blocks"]).map((child) => blockContent(child, isEnded)),
        words(block["title"]) || "More",
      );
    case "card":
      return group("card", cardContents(block));
    case "alert":
      return group("alert", [textOf(block["text"])], stringOf(block["level"]));
    case "input":
      return inputContent(block);
    default:
      return undefined;
  }
}

/** Returns what to draw for the blocks of a modal. A block that the page does not support is a sentence. */
export function modalContents(blocks: readonly Block[]): Content[] {
  const without = (block: Block): string => richTextWords(block) || `(A ${stringOf(block["type"])} block.)`;
  return blocks.map((block) => blockContent(block, true) ?? { kind: "plain", text: without(block) });
}

const isKnown = (content: Content | undefined): content is Content => content !== undefined;

function sectionContent(block: Block): Content {
  const { text, fields, accessory } = block;
  const contents: Content[] = [];
  if (text !== undefined) contents.push(textOf(text));
  if (fields !== undefined)
    contents.push({ kind: "group", style: "fields", title: "", contents: listOf(fields).map(textOf) });
  if (accessory !== undefined) {
    const isImage = (accessory as Block)["type"] === "image";
    contents.push(isImage ? imageOf(accessory as Block) : controlsOf(block, [accessory]));
  }
  const [first] = contents;
  return first && contents.length === 1 ? first : { kind: "group", style: "section", title: "", contents };
}

function cardContents(block: Block): Content[] {
  const { title, subtitle, body, actions } = block;
  return [
    ...(title === undefined ? [] : [textOf(title)]),
    ...(subtitle === undefined ? [] : [{ kind: "context" as const, texts: [words(subtitle)] }]),
    ...(body === undefined ? [] : [textOf(body)]),
    ...(actions === undefined ? [] : [controlsOf(block, actions)]),
  ];
}

function inputContent(block: Block): InputContent {
  return {
    kind: "input",
    block: stringOf(block["block_id"]),
    label: words(block["label"]),
    hint: words(block["hint"]),
    isOptional: block["optional"] === true,
    isQuiet: block["dispatch_action"] !== true,
    element: block["element"] as BlockElement,
  };
}

const controlsOf = (block: Block, elements: unknown): Content => ({
  kind: "controls",
  block: stringOf(block["block_id"]),
  elements: listOf(elements) as unknown as BlockElement[],
});

const imageOf = ({ image_url, alt_text, title }: Block): Content => ({
  kind: "image",
  url: stringOf(image_url),
  alt: words(title) || stringOf(alt_text),
});

/** The page loads no images, so the description of one takes its place. */
const contextWords = (element: Block): string =>
  element["type"] === "image" ? stringOf(element["alt_text"]) : words(element);
