import { describe, expect, test } from "vitest";
import { blockProblems, type Surface } from "./block-rules.ts";
import { checkMessageBlocks } from "./message-limits.ts";
import { SlackError } from "./slack-error.ts";

type Json = Record<string, unknown>;

const x = (length: number): string => "x".repeat(length);
const plain = (length = 1): Json => ({ type: "plain_text", text: x(length) });
const mrkdwn = (length: number): Json => ({ type: "mrkdwn", text: x(length) });
const each = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const times = <T>(length: number, value: T): T[] => each(length, () => value);
const option = (value = "v", text = 1): Json => ({ text: plain(text), value });
const options = (count: number): Json[] => each(count, (n) => option(`${n}`));
const groups = (count: number): Json[] => times(count, { label: plain(75), options: [option()] });
const button = (rest: Json = {}): Json => ({ type: "button", text: plain(), ...rest });
const actions = (...elements: Json[]): Json[] => [{ type: "actions", elements }];
const input = (element: Json): Json[] => [{ type: "input", label: plain(), element }];
const menu = (rest: Json): Json => ({ type: "static_select", ...rest });
const confirming = (confirm: Json): Json[] => actions(button({ confirm: { text: plain(), ...confirm } }));
const feedback = {
  type: "feedback_buttons",
  positive_button: { text: plain(), value: "+" },
  negative_button: { text: plain(), value: "-" },
};
const container = (...child_blocks: Json[]): Json[] => [{ type: "container", title: plain(), child_blocks }];
const card = (rest: Json): Json[] => [{ type: "card", ...rest }];
const divider = { type: "divider" };
const a = { ...divider, block_id: "a" };
const known = button({ action_id: "a" });
const menuOf = (...of: Json[]): Json[] => actions(menu({ options: of }));
const starting = (value: string): Json[] => actions(menu({ options: [option("a")], initial_option: option(value) }));
const conversations = (filter: Json): Json[] => actions({ type: "conversations_select", filter });
const urls = "response_url_enabled";
const contextOf = (...elements: Json[]): Json[] => [{ type: "context", elements }];
const thumbs = (...elements: Json[]): Json[] => [{ type: "context_actions", elements }];
const field = (rest: Json): Json[] => input({ type: "plain_text_input", ...rest });
const folded = { type: "container", title: plain(), child_blocks: [divider] };
const text = (words: string): Json => ({ type: "text", text: words });
const rich = (words: string): Json => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [text(words)] }],
});
const raw = (words = "x"): Json => ({ type: "raw_text", text: words });
const table = (...cells: Json[]): Json => ({ type: "table", rows: [cells] });
const dataTable = (...rows: Json[][]): Json[] => [{ type: "data_table", caption: "x", page_size: 100, rows }];
const links = { alt_text: "x", thumbnail_url: "https://a.example/a.png", video_url: "https://a.example/a" };
const video = (length: number): Json[] => [{ type: "video", title: plain(length), ...links }];

/** Returns what Slack says about blocks: the problems, or the code of another refusal. */
function problemsOf(blocks: Json[], surface: Surface): unknown {
  if (surface !== "message") return blockProblems(blocks, surface);
  try {
    checkMessageBlocks(blocks);
    return [];
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return error.code === "invalid_blocks" ? error.members["errors"] : error.code;
  }
}

const shorter = (limit: number): string => `must be less than ${limit + 1} characters`;
const fewer = (limit: number): string => `no more than ${limit} items allowed`;
const atMost = (limit: number): string => `must be less than or equal to ${limit}`;
/** Pointers are relative to the list of blocks. */
const first = "/0/elements/0";

describe("a limit accepts as much as it says, and no more", () => {
  test.each<[what: string, most: number, (n: number) => Json[], says: typeof fewer, at: string, surface?: Surface]>([
    ["a section's text", 3000, (n) => [{ type: "section", text: mrkdwn(n) }], shorter, "/0/text/text"],
    ["a button's text", 75, (n) => actions(button({ text: plain(n) })), shorter, `${first}/text/text`],
    ["a button's value", 2000, (n) => actions(button({ value: x(n) })), shorter, `${first}/value`],
    ["a button's URL", 3000, (n) => actions(button({ url: x(n) })), shorter, `${first}/url`],
    ["an action_id", 255, (n) => actions(button({ action_id: x(n) })), shorter, `${first}/action_id`],
    ["a question's title", 100, (n) => confirming({ title: plain(n) }), shorter, `${first}/confirm/title/text`],
    ["a question's text", 300, (n) => confirming({ text: plain(n) }), shorter, `${first}/confirm/text/text`],
    ["a question's button", 30, (n) => confirming({ deny: plain(n) }), shorter, `${first}/confirm/deny/text`],
    ["an option's text", 75, (n) => menuOf(option("v", n)), shorter, `${first}/options/0/text/text`],
    ["an alert", 200, (n) => [{ type: "alert", text: plain(n) }], shorter, "/0/text/text", "modal"],
    ["a video's title", 200, video, shorter, "/0/title/text"],
    ["a fold's title", 150, (n) => [{ ...folded, title: plain(n) }], shorter, "/0/title/text"],
    ["a card's title", 150, (n) => card({ title: mrkdwn(n) }), shorter, "/0/title/text"],
    ["a card's text", 200, (n) => card({ body: mrkdwn(n) }), shorter, "/0/body/text"],
    ["a message's blocks", 50, (n) => times(n, divider), fewer, ""],
    ["a modal's blocks", 100, (n) => times(n, divider), fewer, "", "modal"],
    ["texts of a context", 10, (n) => contextOf(...times(n, mrkdwn(1))), fewer, "/0/elements"],
    ["buttons", 25, (n) => actions(...each(n, () => button())), fewer, "/0/elements"],
    ["options of a menu", 100, (n) => actions(menu({ options: options(n) })), fewer, `${first}/options`],
    ["groups of a menu", 100, (n) => actions(menu({ option_groups: groups(n) })), fewer, `${first}/option_groups`],
    ["radio buttons", 10, (n) => actions({ type: "radio_buttons", options: options(n) }), fewer, `${first}/options`],
    ["overflow options", 5, (n) => actions({ type: "overflow", options: options(n) }), fewer, `${first}/options`],
    ["buttons of a card", 3, (n) => card({ actions: each(n, () => button()) }), fewer, "/0/actions"],
    ["blocks of a container", 10, (n) => container(...times(n, divider)), fewer, "/0/child_blocks"],
    ["rows of a data table", 101, (n) => dataTable(...times(n, [raw()])), fewer, "/0/rows"],
    ["cells of a row", 20, (n) => [table(...times(n, raw()))], fewer, "/0/rows/0"],
    ["thumbs", 5, (n) => thumbs(...each(n, (at) => ({ ...feedback, action_id: `${at}` }))), fewer, "/0/elements"],
    ["a field's length", 3000, (max_length) => field({ max_length }), atMost, "/0/element/max_length"],
  ])("%s: %i", (...[, most, make, says, at, surface = "message"]) => {
    expect(problemsOf(make(most), surface)).toEqual([]);
    expect(problemsOf(make(most + 1), surface)).toEqual([`${says(most)} [json-pointer:/blocks${at}]`]);
  });
});

test.each<[string, Json[], Surface?]>([
  ["a danger button", actions(button({ style: "danger" }))],
  ["an input in a message", input({ type: "number_input", is_decimal_allowed: false })],
  ["an empty initial value", field({ initial_value: "" }), "modal"],
  ["an icon", thumbs({ type: "icon_button", icon: "trash", text: plain() })],
  ["cards with buttons", [{ type: "carousel", elements: card({ title: mrkdwn(1), actions: [button()] }) }]],
  ["a menu's own initial option", starting("a")],
  ["a filter of conversations", conversations({ include: ["public", "private"] })],
  ["an alert's level", [{ type: "alert", text: plain(), level: "warning" }], "modal"],
  ["one action in two blocks", [...actions(known), ...actions(known)]],
  ["newer blocks without a look inside", [{ type: "task_card", task_id: "1", title: "t", status: "complete" }]],
])("accepted: %s", (_name, blocks, surface = "message") => {
  expect(problemsOf(blocks, surface)).toEqual([]);
});

const unsupported = (type: string): string => `unsupported type: "${type}"`;
const exists = (name: string): string => `\`${name}\` already exists`;

test.each<[string, Json[], problem: string, at: string, surface?: Surface]>([
  ["an unknown type", [{ type: "banner" }], unsupported("banner"), "/0"],
  ["an empty section", [{ type: "section" }], "missing required field: text or fields", "/0"],
  ["a mrkdwn header", [{ type: "header", text: mrkdwn(1) }], unsupported("mrkdwn"), "/0/text/type"],
  ["a mrkdwn button", actions(button({ text: mrkdwn(1) })), unsupported("mrkdwn"), `${first}/text/type`],
  ["an unknown style", actions(button({ style: "warning" })), "must be a valid enum value", `${first}/style`],
  ["an unknown member", actions(button({ colour: "red" })), "invalid additional property: colour", first],
  ["a menu without options", actions(menu({})), "missing required field: options or option_groups", first],
  ["another menu's option", starting("b"), "must be one of the options", `${first}/initial_option`],
  ["an empty filter", conversations({ include: [] }), "must have at least 1 item", `${first}/filter/include`],
  [
    "response URLs of people",
    actions({ type: "users_select", [urls]: true }),
    `invalid additional property: ${urls}`,
    first,
  ],
  ["a text input in actions", actions({ type: "plain_text_input" }), unsupported("plain_text_input"), first],
  ["a button in an input", input(button()), unsupported("button"), "/0/element"],
  ["a button in a context", contextOf(button()), unsupported("button"), first],
  ["a button as feedback", thumbs(button()), unsupported("button"), first],
  ["an alert in a message", [{ type: "alert", text: plain() }], unsupported("alert"), "/0"],
  ["thumbs in a modal", thumbs(feedback), unsupported("context_actions"), "/0", "modal"],
  ["a fold in a fold", container(folded), unsupported("container"), "/0/child_blocks/0"],
  ["a data table of a header", dataTable([raw()]), "must have at least 2 items", "/0/rows"],
  ["uneven rows", dataTable([raw()], [raw(), raw()]), "all rows must have the same number of cells", "/0/rows"],
  ["a rich header", dataTable([rich("x")], [rich("x")]), unsupported("rich_text"), "/0/rows/0/0"],
  ["an empty cell", [table(raw(""))], "must be more than 0 characters", "/0/rows/0/0/text"],
  ["an empty text", [table(rich(""))], "must be more than 0 characters", "/0/rows/0/0/elements/0/elements/0/text"],
  ["one action twice", actions(known, known), exists("action_id"), "/0/elements/1/action_id"],
  ["one block_id twice", [a, a], exists("block_id"), "/1/block_id"],
  ["a block_id in a fold", [a, ...container(a)], exists("block_id"), "/1/child_blocks/0/block_id"],
])("rejected: %s", (...[, blocks, problem, at, surface = "message"]) => {
  expect(problemsOf(blocks, surface)).toEqual([`${problem} [json-pointer:/blocks${at}]`]);
});

const markdown = (content: string): Json => ({ type: "markdown", text: content });
const repeated = (count: number, content: string): string => times(count, content).join("\n\n");
const tableOf = (rows: number, columns: number, cell = "x"): string => {
  const row = (content: string): string => `|${times(columns, content).join("|")}|`;
  return [row(cell), row("---"), ...times(rows - 1, row(cell))].join("\n");
};
const fifty = `${fewer(50)} [json-pointer:/blocks]`;
const tooMuch = "no more than 10000 characters allowed in tables [json-pointer:/blocks]";
const prose = "# a\n\none\n\n- two\n\n> three";

test.each<[string, Json[], string | string[]]>([
  ["51 headings", [markdown(repeated(51, "### a"))], [fifty]],
  ["51 headings of the other kind", [markdown(repeated(51, "a\n---"))], [fifty]],
  ["51 tables", [markdown(repeated(51, tableOf(2, 2)))], [fifty]],
  ["51 code blocks", [markdown(repeated(51, "```\na\n```"))], [fifty]],
  ["26 headings with prose", [markdown(repeated(26, prose))], [fifty]],
  ["25 headings with prose", [markdown(repeated(25, prose))], []],
  ["49 rules and two blocks", [...times(2, divider), markdown(repeated(49, "---"))], [fifty]],
  ["48 rules and two blocks", [...times(2, divider), markdown(repeated(48, "---"))], []],
  ["headings in a list", [markdown(repeated(60, "- # a"))], []],
  ["headings in code", [markdown(`~~~\n${repeated(60, "# a")}\n~~~`)], []],
  ["a table at its limits", [markdown(tableOf(100, 20))], []],
  ["101 rows, after a block", [divider, markdown(tableOf(101, 1))], [`${fewer(100)} [json-pointer:/blocks/1/rows]`]],
  ["21 columns", [markdown(tableOf(2, 21))], [`${fewer(20)} [json-pointer:/blocks/0/rows/0]`]],
  ["10,044 characters in two tables", [markdown(repeated(2, tableOf(9, 3, x(186))))], [tooMuch]],
  ["a table block and a table", [table(raw()), markdown(tableOf(2, 2))], []],
  ["two table blocks", times(2, table(raw())), "invalid_attachments"],
  ["9,597 characters in 50 blocks", times(50, { type: "section", text: mrkdwn(191) }), []],
  ["11,340 characters in 45 blocks", times(45, { type: "section", text: mrkdwn(252) }), "msg_blocks_too_long"],
  ["10,700 characters with 25 headings", [markdown(repeated(25, `# A\n\n${x(421)}`))], "msg_blocks_too_long"],
  ["Markdown of 12,000", [markdown(x(12_000))], []],
  ["Markdown over 12,000", [markdown(x(12_001))], "msg_too_long"],
  ["14,000 characters of Markdown", times(2, markdown(x(7000))), "msg_blocks_too_long"],
])("a message counts Markdown as the blocks that Slack makes of it: %s", (_name, blocks, problems) => {
  expect(problemsOf(blocks, "message")).toEqual(problems);
});
