import { errorWithMessages, SlackError } from "./slack-error.ts";

/** A problem of a part of a block, and the JSON pointer to it inside the block. */
type Problem = readonly [problem: string, pointer: string];

/** Checks one value; `at` is its JSON pointer. */
type Check = (value: unknown, at: string) => Problem[];

/** Returns true if a value is a plain JSON object. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks a text of 1 to `longest` characters. */
function string(longest: number): Check {
  return (value, at) => {
    if (typeof value !== "string") return [["must be a string", at]];
    if (value.length === 0) return [["must be more than 0 characters", at]];
    return value.length > longest ? [[`must be less than ${longest + 1} characters`, at]] : [];
  };
}

/** Checks a text object of these types. See https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
function textObject(longest: number, types: readonly string[] = ["plain_text", "mrkdwn"]): Check {
  const checkText = string(longest);
  return (value, at) => {
    if (!isObject(value)) return [["must be a text object", at]];
    const { type, text } = value;
    const isKnown = typeof type === "string" && types.includes(type);
    return [
      ...(isKnown ? [] : [[`unsupported type: ${JSON.stringify(type)}`, `${at}/type`] as const]),
      ...checkText(text, `${at}/text`),
    ];
  };
}

/** Checks a list of 1 to `most` items. */
function list(most: number, each: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value) || value.length === 0) return [["must have at least 1 item", at]];
    const problems = value.flatMap((item: unknown, index) => each(item, `${at}/${index}`));
    return value.length > most ? [[`no more than ${most} items allowed`, at], ...problems] : problems;
  };
}

/** Checks that an element has a type; its content is not checked. */
const element: Check = (value, at) =>
  isObject(value) && typeof value["type"] === "string" ? [] : [["missing required field: type", at]];

type Block = Record<string, unknown>;

/** The members of a type of block. See https://docs.slack.dev/reference/block-kit/blocks */
interface BlockRule {
  required?: Record<string, Check>;
  optional?: Record<string, Check>;
  /** One of these is required. */
  oneOf?: readonly string[];
}

const RULES: Record<string, BlockRule> = {
  section: {
    optional: { text: textObject(3000), fields: list(10, textObject(2000)), accessory: element },
    oneOf: ["text", "fields"],
  },
  header: { required: { text: textObject(150, ["plain_text"]) } },
  markdown: { required: { text: string(12_000) } },
  context: { required: { elements: list(10, element) } },
  context_actions: { required: { elements: list(5, element) } },
  actions: { required: { elements: list(25, element) } },
  rich_text: { required: { elements: list(Infinity, element) } },
  image: {
    required: { alt_text: string(2000) },
    optional: { image_url: string(3000) },
    oneOf: ["image_url", "slack_file"],
  },
  input: { required: { label: textObject(2000, ["plain_text"]), element } },
  divider: {},
};

/** Known to Slack, and accepted here without a check of their content. */
const UNCHECKED: ReadonlySet<unknown> = new Set(
  "alert call card carousel container data_table data_visualization file plan table task_card video".split(" "),
);

/** Maximum number of blocks in a message. */
export const MOST_BLOCKS = 50;

/**
 * Maximum characters of all texts in a message's blocks, where every block also costs some characters. Slack does not document it; measured
 * in https://github.com/slackapi/bolt-js/issues/2509 (about 13,200) and https://github.com/slackapi/bolt-js/issues/2867.
 */
const MOST_TEXT = 13_200;
const COST_OF_A_BLOCK = 45;

/** Validates the blocks of a message or a view. Throws `invalid_blocks` with every problem, or `msg_blocks_too_long`. */
export function checkBlocks(blocks: readonly Block[], most: number = MOST_BLOCKS): void {
  const problems = blocks.length > most ? [`no more than ${most} items allowed [json-pointer:/blocks]`] : [];
  const ids = new Set<unknown>();
  for (const [index, block] of blocks.entries()) {
    for (const [problem, at] of checkBlock(block)) problems.push(`${problem} [json-pointer:/blocks/${index}${at}]`);
    const { block_id } = block;
    if (ids.has(block_id)) problems.push(`\`block_id\` already exists [json-pointer:/blocks/${index}/block_id]`);
    if (block_id !== undefined) ids.add(block_id);
  }
  if (problems.length > 0) throw errorWithMessages("invalid_blocks", problems);
  if (textLength(blocks) + blocks.length * COST_OF_A_BLOCK > MOST_TEXT) throw new SlackError("msg_blocks_too_long");
}

function checkBlock(block: Block): Problem[] {
  const { type } = block;
  if (UNCHECKED.has(type)) return [];
  const rule = typeof type === "string" ? RULES[type] : undefined;
  if (!rule) return [[`unsupported type: ${JSON.stringify(type)}`, ""]];
  const { required = {}, optional = {}, oneOf } = rule;
  const missing = Object.keys(required).filter((name) => block[name] === undefined);
  const checks = Object.entries({ ...required, ...optional, block_id: string(255) });
  return [
    ...missing.map((name): Problem => [`missing required field: ${name}`, ""]),
    ...(oneOf?.every((name) => block[name] === undefined)
      ? [[`missing required field: ${oneOf.join(" or ")}`, ""] as const]
      : []),
    ...checks.flatMap(([name, check]) => (block[name] === undefined ? [] : check(block[name], `/${name}`))),
  ];
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
