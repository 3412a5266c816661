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
  wholeNumber,
} from "./block-checks.ts";
import { ALLOWED_ELEMENTS, ELEMENT_RULES } from "./element-rules.ts";

type Block = Record<string, unknown>;

/** Where blocks are shown. */
export type Surface = "message" | "modal" | "home";

type Checks = Readonly<Record<string, Check>>;

const id = { block_id: string(255) };
/** Checks a block with these members; one of `anyOf` is required. */
const block = (required: Checks, optional: Checks = {}, anyOf?: readonly string[]): Check =>
  members({ required, optional: { ...id, ...optional }, ...(anyOf && { oneOf: anyOf }) });
const unchecked = (types: string): Checks => Object.fromEntries(types.split(" ").map((type) => [type, anything]));
const interactive = (place: keyof typeof ALLOWED_ELEMENTS): Check => typed(ELEMENT_RULES, ALLOWED_ELEMENTS[place]);
const marked = (longest: number): Check => textObject(longest, ["mrkdwn"]);

const imageMembers = { image_url: string(3000), title: plain(2000) };
const image = block({ alt_text: string(2000) }, imageMembers, ["image_url", "slack_file"]);
const contextElement = typed({ image, plain_text: textObject(3000), mrkdwn: textObject(3000) });
const accessory = typed({ ...ELEMENT_RULES, image }, ["image", ...ALLOWED_ELEMENTS.accessory]);
const cardTexts = { title: marked(150), subtitle: marked(150), body: marked(200), subtext: marked(200) };
const card = block({}, { ...cardTexts, actions: list(3, typed(ELEMENT_RULES, ["button"])) });
const videoLinks = { thumbnail_url: string(3000), video_url: string(3000) };
const videoTexts = { author_name: string(50), description: plain(200), title_url: string(3000) };
const sectionMembers = { text: textObject(3000), fields: list(10, textObject(2000)), accessory };
const inputMembers = { hint: plain(2000), optional: boolean, dispatch_action: boolean };

/** Maximum size of a table, its header included. See https://docs.slack.dev/reference/block-kit/blocks/table-block */
export const TABLE_SIZE = { rows: 100, columns: 20 } as const;
const richText = block({ elements: list(Infinity, richTextElement) });
const cells: Checks = {
  raw_text: members({ required: { text: string(Infinity) } }),
  raw_number: members({ required: { value: anything }, optional: { text: string(Infinity) } }),
  rich_text: richText,
};
const rowOf = (...types: string[]): Check => list(TABLE_SIZE.columns, typed(cells, types));
const rows = list(TABLE_SIZE.rows, rowOf(...Object.keys(cells)));
const pages = { page_size: wholeNumber(1, 100), row_header_column_index: wholeNumber(0) };

/** The blocks that a container can hold. See https://docs.slack.dev/reference/block-kit/blocks */
const PLAIN_RULES: Checks = {
  section: block({}, sectionMembers, ["text", "fields"]),
  header: block({ text: plain(150) }),
  context: block({ elements: list(10, contextElement) }),
  actions: block({ elements: list(25, interactive("actions")) }),
  rich_text: richText,
  image,
  input: block({ label: plain(2000), element: interactive("input") }, inputMembers),
  divider: block({}),
  table: block({ rows }, { column_settings: list(TABLE_SIZE.columns, anything) }),
  video: block({ alt_text: string(2000), title: plain(200), ...videoLinks }, videoTexts),
  ...unchecked("file"),
};

const levels = oneOf("default", "info", "warning", "error", "success");
const RULES: Checks = {
  ...PLAIN_RULES,
  markdown: block({ text: string(12_000) }),
  context_actions: block({ elements: list(5, interactive("context_actions")) }),
  alert: block({ text: textObject(200) }, { level: levels }),
  card,
  carousel: block({ elements: list(10, card) }),
  container: block({ child_blocks: list(10, typed(PLAIN_RULES)) }, { title: plain(150) }, ["title", "rich_text_title"]),
  data_table: block({ caption: string(Infinity), rows: dataRows }, pages),
  ...unchecked("call data_visualization plan task_card"),
};

/** Checks the rows of a data table. See https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
function dataRows(value: unknown, at: string): Problem[] {
  if (!Array.isArray(value) || value.length < 2) return [["must have at least 2 items", at]];
  const [header, ...others] = value as unknown[];
  const isUneven = others.some((row) => Array.isArray(row) && Array.isArray(header) && row.length !== header.length);
  return [
    ...(value.length > TABLE_SIZE.rows + 1 ? [[`no more than ${TABLE_SIZE.rows + 1} items allowed`, at] as const] : []),
    ...(isUneven ? [["all rows must have the same number of cells", at] as const] : []),
    ...rowOf("raw_text", "raw_number")(header, `${at}/0`),
    ...others.flatMap((row, index) => rowOf(...Object.keys(cells))(row, `${at}/${index + 1}`)),
  ];
}

/** Checks that an element has a type, that no list of elements is empty and that texts are not, at any depth. */
function richTextElement(value: unknown, at: string): Problem[] {
  if (!isObject(value) || typeof value["type"] !== "string") return [["missing required field: type", at]];
  const { type, text, elements } = value;
  if (type === "text") return string(Infinity)(text, `${at}/text`);
  return elements === undefined ? [] : list(Infinity, richTextElement)(elements, `${at}/elements`);
}

const MESSAGES_ONLY = ["context_actions", "file", "markdown", "plan", "task_card"];
const IN_VIEWS = Object.keys(RULES).filter((type) => !MESSAGES_ONLY.includes(type));
const ALLOWED: Readonly<Record<Surface, readonly string[]>> = {
  message: Object.keys(RULES).filter((type) => type !== "alert"),
  modal: IN_VIEWS,
  home: IN_VIEWS,
};

/** Maximum number of blocks in a message. */
export const MOST_BLOCKS = 50;
const MOST_VIEW_BLOCKS = 100;

/** Returns every problem of the blocks of a message or a view, each with its JSON pointer after `at`. */
export function blockProblems(blocks: readonly Block[], surface: Surface, at = "/blocks"): string[] {
  const most = surface === "message" ? MOST_BLOCKS : MOST_VIEW_BLOCKS;
  const found = blocks.length === 0 ? [] : list(most, typed(RULES, ALLOWED[surface]))(blocks, at);
  const problems = [...found, ...repeated(blocks, "block_id", at)];
  return problems.map(([problem, pointer]) => `${problem} [json-pointer:${pointer}]`);
}

/** Finds ids of blocks that are not unique in the message or view, and ids of actions that are not unique in their block. */
function repeated(all: unknown, name: "block_id" | "action_id", at: string): Problem[] {
  const known = new Set<unknown>();
  const find = (items: unknown, pointer: string): Problem[] =>
    (Array.isArray(items) ? items : []).filter(isObject).flatMap((item, index): Problem[] => {
      const here = `${pointer}/${index}`;
      const isKnown = item[name] !== undefined && known.has(item[name]);
      known.add(item[name]);
      return [
        ...(isKnown ? [[`\`${name}\` already exists`, `${here}/${name}`] as const] : []),
        ...find(item["child_blocks"], `${here}/child_blocks`),
        ...(name === "block_id" ? repeated(item["elements"], "action_id", `${here}/elements`) : []),
      ];
    });
  return find(all, at);
}
