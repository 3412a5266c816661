import { describe, expect, test } from "vitest";
import { blockProblems, type Surface } from "./block-rules.ts";

type Json = Record<string, unknown>;

const x = (length: number): string => "x".repeat(length);
const plain = (length = 1): Json => ({ type: "plain_text", text: x(length) });
const times = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const option = (value = "v", text = 1): Json => ({ text: plain(text), value });
const button = (rest: Json = {}): Json => ({ type: "button", text: plain(), ...rest });
const actions = (...elements: Json[]): Json[] => [{ type: "actions", elements }];
const input = (element: Json): Json[] => [{ type: "input", label: plain(), element }];
const menu = (rest: Json): Json => ({ type: "static_select", ...rest });
const radio = (count: number): Json => ({ type: "radio_buttons", options: times(count, (n) => option(`${n}`)) });
const feedback = {
  type: "feedback_buttons",
  positive_button: { text: plain(), value: "+" },
  negative_button: { text: plain(), value: "-" },
};
const container = (...child_blocks: Json[]): Json[] => [{ type: "container", title: plain(150), child_blocks }];
const card = (rest: Json): Json => ({ type: "card", ...rest });
const raw = { type: "raw_text", text: "x" };
const rich = { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "x" }] }] };
const dataTable = (...rows: Json[][]): Json[] => [{ type: "data_table", caption: "x", page_size: 100, rows }];
const links = { alt_text: "x", thumbnail_url: "https://a.example/a.png", video_url: "https://a.example/a" };
const video = (length: number): Json[] => [{ type: "video", title: plain(length), ...links }];

describe("elements", () => {
  test.each<[string, Json[], Surface?]>([
    [
      "a button at its limits",
      actions(button({ text: plain(75), value: x(2000), url: x(3000), action_id: x(255), style: "danger" })),
    ],
    ["25 buttons", actions(...times(25, () => button()))],
    [
      "a confirmation at its limits",
      actions(button({ confirm: { title: plain(100), text: plain(300), confirm: plain(30), deny: plain(30) } })),
    ],
    ["a menu of 100 options", actions(menu({ options: times(100, (n) => option(`${n}`, 75)) }))],
    ["100 groups", actions(menu({ option_groups: times(100, () => ({ label: plain(75), options: [option()] })) }))],
    ["ten radio buttons", actions(radio(10))],
    ["a text input at its limits", input({ type: "plain_text_input", max_length: 3000, initial_value: "" }), "modal"],
    ["an input in a message", input({ type: "number_input", is_decimal_allowed: false })],
    [
      "feedback and an icon",
      [{ type: "context_actions", elements: [feedback, { type: "icon_button", icon: "trash", text: plain() }] }],
    ],
    ["a container with buttons", container(...actions(button()))],
    [
      "cards with buttons",
      [{ type: "carousel", elements: [card({ title: { type: "mrkdwn", text: x(150) }, actions: [button()] })] }],
    ],
    [
      "a data table at its limits",
      dataTable(
        times(20, () => raw),
        ...times(100, () => times(20, () => rich)),
      ),
    ],
    [
      "menus with what they start with",
      actions(
        menu({ option_groups: [{ label: plain(), options: [option("a"), option("b")] }], initial_option: option("b") }),
        { type: "conversations_select", response_url_enabled: false, filter: { include: ["public", "private"] } },
      ),
    ],
    ["a video", video(200)],
    ["an alert in a modal", [{ type: "alert", text: plain(200), level: "warning" }], "modal"],
    ["100 blocks in a modal", times(100, () => ({ type: "divider" })), "modal"],
    ["one action in two blocks", [...actions(button({ action_id: "a" })), ...actions(button({ action_id: "a" }))]],
  ])("accepted: %s", (_name, blocks, surface = "message") => {
    expect(blockProblems(blocks, surface)).toEqual([]);
  });

  const shorter = (limit: number, at: string): string =>
    `must be less than ${limit} characters [json-pointer:/blocks/0${at}]`;
  const fewer = (limit: number, at: string): string =>
    `no more than ${limit} items allowed [json-pointer:/blocks/0${at}]`;
  const first = "/elements/0";

  test.each<[string, Json[], string, Surface?]>([
    ["a button text over 75", actions(button({ text: plain(76) })), shorter(76, `${first}/text/text`)],
    ["a value over 2,000", actions(button({ value: x(2001) })), shorter(2001, `${first}/value`)],
    ["a URL over 3,000", actions(button({ url: x(3001) })), shorter(3001, `${first}/url`)],
    ["an action_id over 255", actions(button({ action_id: x(256) })), shorter(256, `${first}/action_id`)],
    ["26 buttons", actions(...times(26, () => button())), fewer(25, "/elements")],
    [
      "a style that does not exist",
      actions(button({ style: "warning" })),
      "must be a valid enum value [json-pointer:/blocks/0/elements/0/style]",
    ],
    [
      "a mrkdwn button",
      actions(button({ text: { type: "mrkdwn", text: "x" } })),
      `unsupported type: "mrkdwn" [json-pointer:/blocks/0${first}/text/type]`,
    ],
    [
      "a member that does not exist",
      actions(button({ colour: "red" })),
      `invalid additional property: colour [json-pointer:/blocks/0${first}]`,
    ],
    [
      "a confirmation title over 100",
      actions(button({ confirm: { title: plain(101), text: plain() } })),
      shorter(101, `${first}/confirm/title/text`),
    ],
    [
      "a confirmation text over 300",
      actions(button({ confirm: { text: plain(301) } })),
      shorter(301, `${first}/confirm/text/text`),
    ],
    [
      "a confirmation button over 30",
      actions(button({ confirm: { text: plain(), deny: plain(31) } })),
      shorter(31, `${first}/confirm/deny/text`),
    ],
    ["101 options", actions(menu({ options: times(101, (n) => option(`${n}`)) })), fewer(100, `${first}/options`)],
    [
      "an option text over 75",
      actions(menu({ options: [option("v", 76)] })),
      shorter(76, `${first}/options/0/text/text`),
    ],
    [
      "a menu without options",
      actions(menu({})),
      `missing required field: options or option_groups [json-pointer:/blocks/0${first}]`,
    ],
    ["eleven radio buttons", actions(radio(11)), fewer(10, `${first}/options`)],
    [
      "an initial option of another menu",
      actions(menu({ options: [option("a")], initial_option: option("b") })),
      `must be one of the options [json-pointer:/blocks/0${first}/initial_option]`,
    ],
    [
      "an empty filter of conversations",
      actions({ type: "conversations_select", filter: { include: [] } }),
      `must have at least 1 item [json-pointer:/blocks/0${first}/filter/include]`,
    ],
    [
      "response URLs for a menu of people",
      actions({ type: "users_select", response_url_enabled: true }),
      `invalid additional property: response_url_enabled [json-pointer:/blocks/0${first}]`,
    ],
    ["six overflow options", actions({ ...radio(6), type: "overflow" }), fewer(5, `${first}/options`)],
    [
      "a text input in actions",
      actions({ type: "plain_text_input" }),
      `unsupported type: "plain_text_input" [json-pointer:/blocks/0${first}]`,
    ],
    ["a button in an input", input(button()), 'unsupported type: "button" [json-pointer:/blocks/0/element]'],
    [
      "a button in a context",
      [{ type: "context", elements: [button()] }],
      `unsupported type: "button" [json-pointer:/blocks/0${first}]`,
    ],
    [
      "a button in context_actions",
      [{ type: "context_actions", elements: [button()] }],
      `unsupported type: "button" [json-pointer:/blocks/0${first}]`,
    ],
    [
      "a max_length over 3,000",
      input({ type: "plain_text_input", max_length: 3001 }),
      "must be less than or equal to 3000 [json-pointer:/blocks/0/element/max_length]",
    ],
    [
      "six elements in context_actions",
      [{ type: "context_actions", elements: times(6, (n) => ({ ...feedback, action_id: `${n}` })) }],
      fewer(5, "/elements"),
    ],
    ["an alert in a message", [{ type: "alert", text: plain() }], 'unsupported type: "alert" [json-pointer:/blocks/0]'],
    ["an alert over 200", [{ type: "alert", text: plain(201) }], shorter(201, "/text/text"), "modal"],
    [
      "context_actions in a modal",
      [{ type: "context_actions", elements: [feedback] }],
      'unsupported type: "context_actions" [json-pointer:/blocks/0]',
      "modal",
    ],
    ["eleven blocks in a container", container(...times(11, () => ({ type: "divider" }))), fewer(10, "/child_blocks")],
    [
      "a container in a container",
      container(...container({ type: "divider" })),
      'unsupported type: "container" [json-pointer:/blocks/0/child_blocks/0]',
    ],
    ["a video title over 200", video(201), shorter(201, "/title/text")],
    ["a fourth button on a card", [card({ actions: times(4, () => button()) })], fewer(3, "/actions")],
    ["102 rows of a data table", dataTable([raw], ...times(101, () => [raw])), fewer(101, "/rows")],
    ["a data table of a header", dataTable([raw]), "must have at least 2 items [json-pointer:/blocks/0/rows]"],
    [
      "uneven rows",
      dataTable([raw], [raw, raw]),
      "all rows must have the same number of cells [json-pointer:/blocks/0/rows]",
    ],
    ["a rich header", dataTable([rich], [rich]), 'unsupported type: "rich_text" [json-pointer:/blocks/0/rows/0/0]'],
    ["a card text over 200", [card({ body: { type: "mrkdwn", text: x(201) } })], shorter(201, "/body/text")],
    [
      "one action twice in a block",
      actions(button({ action_id: "a" }), button({ action_id: "a" })),
      `\`action_id\` already exists [json-pointer:/blocks/0/elements/1/action_id]`,
    ],
    [
      "a block_id twice, once in a container",
      [{ type: "divider", block_id: "a" }, ...container({ type: "divider", block_id: "a" })],
      "`block_id` already exists [json-pointer:/blocks/1/child_blocks/0/block_id]",
    ],
  ])("rejected: %s", (...[, blocks, problem, surface = "message"]) => {
    expect(blockProblems(blocks, surface)).toEqual([problem]);
  });

  test("101 blocks are too many for a modal", () => {
    const blocks = times(101, () => ({ type: "divider" }));
    expect(blockProblems(blocks, "modal", "/view/blocks")).toEqual([
      "no more than 100 items allowed [json-pointer:/view/blocks]",
    ]);
  });
});
