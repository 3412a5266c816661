import {
  anything,
  boolean,
  type Check,
  isObject,
  list,
  members,
  oneOf,
  plain,
  type Problem,
  string,
  textObject,
  typed,
} from "./block-checks.ts";
import { ALLOWED_ELEMENTS, ELEMENT_RULES } from "./element-rules.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

type Block = Record<string, unknown>;

/** Where blocks are shown. */
export type Surface = "message" | "modal";

const image: Parameters<typeof members>[0] = {
  required: { alt_text: string(2000) },
  optional: { image_url: string(3000) },
  oneOf: ["image_url", "slack_file"],
};
const id = { block_id: string(255) };
const interactive = (place: keyof typeof ALLOWED_ELEMENTS): Check => typed(ELEMENT_RULES, ALLOWED_ELEMENTS[place]);
const contextElement = typed({ image: members(image), plain_text: textObject(3000), mrkdwn: textObject(3000) });
const accessory = typed({ ...ELEMENT_RULES, image: members(image) }, ["image", ...ALLOWED_ELEMENTS.accessory]);
const marked = (longest: number): Check => textObject(longest, ["mrkdwn"]);
const card = members({
  optional: {
    ...id,
    title: marked(150),
    subtitle: marked(150),
    body: marked(200),
    actions: list(25, typed(ELEMENT_RULES, ["button"])),
  },
});

/** The types of block. See https://docs.slack.dev/reference/block-kit/blocks */
const PLAIN_RULES: Readonly<Record<string, Check>> = {
  section: members({
    optional: { ...id, text: textObject(3000), fields: list(10, textObject(2000)), accessory },
    oneOf: ["text", "fields"],
  }),
  header: members({ required: { text: plain(150) }, optional: id }),
  context: members({ required: { elements: list(10, contextElement) }, optional: id }),
  actions: members({ required: { elements: list(25, interactive("actions")) }, optional: id }),
  rich_text: members({ required: { elements: list(Infinity, typedOnly) }, optional: id }),
  image: members({ ...image, optional: { ...image.optional, ...id, title: plain(2000) } }),
  input: members({
    required: { label: plain(2000), element: interactive("input") },
    optional: { ...id, hint: plain(2000), optional: boolean, dispatch_action: boolean },
  }),
  divider: members({ optional: id }),
  table: anything,
  video: anything,
  file: anything,
};

const RULES: Readonly<Record<string, Check>> = {
  ...PLAIN_RULES,
  markdown: members({ required: { text: string(12_000) }, optional: id }),
  context_actions: members({ required: { elements: list(5, interactive("context_actions")) }, optional: id }),
  alert: members({
    required: { text: textObject(200) },
    optional: { ...id, level: oneOf("default", "info", "warning", "error", "success") },
  }),
  card,
  carousel: members({ required: { elements: list(10, card) }, optional: id }),
  container: members({
    required: { child_blocks: list(10, typed(PLAIN_RULES)) },
    optional: { ...id, title: plain(150) },
    oneOf: ["title", "rich_text_title"],
  }),
  call: anything,
  data_table: anything,
  data_visualization: anything,
  plan: anything,
  task_card: anything,
};

/** Checks that an element has a type; its content is not checked. */
function typedOnly(value: unknown, at: string): Problem[] {
  return isObject(value) && typeof value["type"] === "string" ? [] : [["missing required field: type", at]];
}

const MESSAGES_ONLY = ["context_actions", "file", "markdown", "plan", "task_card"];
const ALLOWED: Readonly<Record<Surface, readonly string[]>> = {
  message: Object.keys(RULES).filter((type) => type !== "alert"),
  modal: Object.keys(RULES).filter((type) => !MESSAGES_ONLY.includes(type)),
};

/** Maximum number of blocks in a message. */
export const MOST_BLOCKS = 50;
const MOST_VIEW_BLOCKS = 100;

/**
 * Maximum characters of all texts in a message's blocks, where every block also costs some characters. Slack does not document it; measured
 * in https://github.com/slackapi/bolt-js/issues/2509 (about 13,200) and https://github.com/slackapi/bolt-js/issues/2867.
 */
const MOST_TEXT = 13_200;
const COST_OF_A_BLOCK = 45;

/** Validates the blocks of a message. Throws `invalid_blocks` with every problem, or `msg_blocks_too_long`. */
export function checkBlocks(blocks: readonly Block[]): void {
  const problems = blockProblems(blocks, "message");
  if (problems.length > 0) throw errorWithMessages("invalid_blocks", problems);
  if (textLength(blocks) + blocks.length * COST_OF_A_BLOCK > MOST_TEXT) throw new SlackError("msg_blocks_too_long");
}

/** Returns every problem of the blocks of a message or a view, each with its JSON pointer after `at`. */
export function blockProblems(blocks: readonly Block[], surface: Surface, at = "/blocks"): string[] {
  const most = surface === "message" ? MOST_BLOCKS : MOST_VIEW_BLOCKS;
  const check = typed(RULES, ALLOWED[surface]);
  const tooMany: Problem[] = blocks.length > most ? [[`no more than ${most} items allowed`, at]] : [];
  const problems = [
    ...tooMany,
    ...blocks.flatMap((block, index) => check(block, `${at}/${index}`)),
    ...repeated(blocks, at),
  ];
  return problems.map(([problem, pointer]) => `${problem} [json-pointer:${pointer}]`);
}

/** Finds ids of blocks that are not unique in the message or view, and ids of actions that are not unique in their block. */
function repeated(blocks: readonly Block[], at: string): Problem[] {
  const children = (block: Block, name: string, pointer: string): [Block, string][] => {
    const items: unknown[] = Array.isArray(block[name]) ? block[name] : [];
    return items.flatMap((item, index): [Block, string][] =>
      isObject(item) ? [[item, `${pointer}/${name}/${index}`]] : [],
    );
  };
  const all = blocks.flatMap((block, index): [Block, string][] => {
    const pointer = `${at}/${index}`;
    return [[block, pointer], ...children(block, "child_blocks", pointer)];
  });
  return [
    ...twice(all, "block_id"),
    ...all.flatMap(([block, pointer]) => twice(children(block, "elements", pointer), "action_id")),
  ];
}

function twice(items: readonly [Block, string][], name: string): Problem[] {
  const ids = items.map(([item]) => item[name]);
  return items.flatMap(([, pointer], index): Problem[] =>
    ids[index] !== undefined && ids.indexOf(ids[index]) < index
      ? [[`\`${name}\` already exists`, `${pointer}/${name}`]]
      : [],
  );
}

/** Returns the characters of every `text` string, at any depth. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + (name === "text" && typeof member === "string" ? member.length : textLength(member)),
    0,
  );
}
