import { type Block, type BlockElement, listOf, stringOf, textOf, words } from "./block-element.ts";
import type { Content, GroupStyle, InputContent } from "./content.ts";
import { taskCardOf } from "./task-card.ts";

/** Returns what to draw for a block; undefined if the page does not support it. A plan folds when its message has ended. */
export function blockContent(block: Block, isEnded: boolean): Content | undefined {
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
    case "rich_text":
      return { kind: "rich", block };
    case "table":
    case "data_table":
      return { kind: "table", rows: listOf(block["rows"]).map((row) => listOf(row).map(cellOf)) };
    case "container":
      return containerContent(block, isEnded);
    case "card":
      return cardContent(block);
    case "alert":
      return grouped("alert", [textOf(block["text"])], stringOf(block["level"]));
    case "input":
      return inputContent(block);
    default:
      return undefined;
  }
}

/** Returns what to draw for the blocks of a modal. A block that the page does not support is a sentence. */
export function modalContents(blocks: readonly Block[]): Content[] {
  const without = (block: Block): string => `(A ${stringOf(block["type"])} block.)`;
  return blocks.map((block) => blockContent(block, true) ?? { kind: "plain", text: without(block) });
}

const optional = (value: unknown, read: (value: unknown) => Content): Content[] =>
  value === undefined ? [] : [read(value)];

function sectionContent(block: Block): Content {
  const contents = [
    ...optional(block["text"], textOf),
    ...optional(block["fields"], (fields) => grouped("fields", listOf(fields).map(textOf))),
    ...optional(block["accessory"], (accessory) =>
      (accessory as Block)["type"] === "image" ? imageOf(accessory as Block) : controlsOf(block, [accessory]),
    ),
  ];
  return contents.length === 1 && contents[0] ? contents[0] : grouped("section", contents);
}

function cardContent(block: Block): Content {
  return grouped("card", [
    ...optional(block["title"], textOf),
    ...optional(block["subtitle"], (subtitle) => ({ kind: "context", texts: [words(subtitle)] })),
    ...optional(block["body"], textOf),
    ...optional(block["actions"], (actions) => controlsOf(block, actions)),
  ]);
}

function cellOf(cell: Block): Content {
  const number = typeof cell["value"] === "number" ? `${cell["value"]}` : "";
  return blockContent(cell, true) ?? { kind: "plain", text: stringOf(cell["text"]) || number };
}

/** A container with a child that the page does not support is not supported either. */
function containerContent({ child_blocks, title }: Block, isEnded: boolean): Content | undefined {
  const children = listOf(child_blocks).map((child) => blockContent(child, isEnded));
  const known = children.filter((child) => child !== undefined);
  return known.length < children.length ? undefined : grouped("container", known, words(title) || "More");
}

export const grouped = (style: GroupStyle, contents: Content[], title = ""): Content => ({
  kind: "group",
  style,
  title,
  contents,
});

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
