import { cpuMsOf } from "@crosszone/testkit/cpu";
import type { KnownBlock, RichTextBlockElement, RichTextElement } from "@slack/web-api";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as forms from "../../testing/message-forms.ts";
import { readMessage } from "./read-message.ts";

const read = (raw: Record<string, unknown>) => readMessage(raw, "UBOT");
const text = (words: string, style?: { bold?: true; italic?: true; strike?: true; code?: true }): RichTextElement =>
  ({ type: "text", text: words, ...(style && { style }) }) as const;
const user = (user_id: string): RichTextElement => ({ type: "user", user_id });
const section = (...elements: RichTextElement[]) => ({ type: "rich_text_section" as const, elements });
const quote = (...elements: RichTextElement[]) => ({ type: "rich_text_quote" as const, elements });
const list = (style: "bullet" | "ordered", items: string[], more: { indent?: number; offset?: number } = {}) =>
  ({ type: "rich_text_list" as const, style, elements: items.map((item) => section(text(item))), ...more }) as const;
const code = (words: string) => ({
  type: "rich_text_preformatted" as const,
  elements: [{ type: "text" as const, text: words }],
});
const rich = (...elements: RichTextBlockElement[]): KnownBlock => ({ type: "rich_text", elements });
const typed = (...elements: RichTextBlockElement[]) =>
  read({ user: "U1", text: "as text", blocks: [rich(...elements)] });

describe("the text of a message without blocks", () => {
  test.each([
    ["<@UBOT> what is this?", "what is this?"],
    ["<@UBOT|crosszone>: what is this?", "what is this?"],
    ["  <@UBOT>, hello", "hello"],
    ["hello <@UBOT>", "hello"],
    ["hello,  <@UBOT> <@UBOT|crosszone>", "hello"],
    ["<@UBOT> <@UBOT>: hello", "hello"],
    ["<@U2> and <@UBOT> hi", "<@U2> and <@UBOT> hi"],
    ["Can <@UBOT|crosszone> and <@U2> look?", "Can <@UBOT> and <@U2> look?"],
    ["<@UBOT> who is <@UBOT>?", "who is <@UBOT>?"],
    ["\u200B\u3164 <@UBOT> \u2800", ""],
    ["\u200Bvisible", "\u200Bvisible"],
    ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
    ["see <https://x.com/?a=1&amp;b=2>", "see https://x.com/?a=1&b=2"],
    ["see <https://x.com|x.com>", "see https://x.com"],
    ["see <https://x.com|the page>", "see the page (https://x.com)"],
    ["<mailto:a@b.de|a@b.de>", "a@b.de"],
    ["in <#C1|general>, <#C2> and <#C3|>", "in #general, <#C2> and <#C3>"],
    ["<!here> <!subteam^S1|@ops> <!subteam^S2>", "@here <!subteam^S1|@ops> <!subteam^S2>"],
    ["<!date^1^{date}|today> <!date^1^{date}>", "today 1970-01-01T00:00:01.000Z"],
    ["2 * 3 * 4 *b* snake_case `a|b`", "2 * 3 * 4 *b* snake_case `a|b`"],
    ["&gt; his\n&gt; words\nmine", "> his\n> words\n\nmine"],
    ["<@UBOT>", ""],
  ])("W2: %j is read as %j", (given, words) => {
    expect(read({ user: "U1", text: given })).toMatchObject({ words, others: [], unreadable: [] });
  });

  test("W28: a text of nothing but mentions and white space is read in the time of its length", async () => {
    const long = (count: number): string => `x${"<@UBOT> , ".repeat(count)}${" ".repeat(count)}x`;
    const [few, many] = [
      await cpuMsOf(() => read({ text: long(4_000) })),
      await cpuMsOf(() => read({ text: long(16_000) })),
    ];
    expect(many).toBeLessThan(8 * Math.max(5, few));
  });

  test("W8: mentions in it count in order, but not in quotations and code", () => {
    const given = "<@U2> `<@U4>` <@W3|w> &lt;@U5&gt; <#C1>\n&gt; <@U6>\n```\n<@U7>\n```";
    expect(read({ text: given })).toMatchObject({ mentions: ["U2", "W3"], hasQuotes: true });
    expect(read({ text: "```\n&gt; code\n```" }).hasQuotes).toBe(false);
  });
});

describe("what a person typed", () => {
  test.each([
    "2 * 3 * 4",
    "snake_case _and_ `ticks",
    "<b> & &amp; |",
    "# no heading\n- no list\n\n\n1. end",
    "**kwargs",
  ])("I9, W2: %j gains nothing", (words) =>
    expect(typed(section(text(words)))).toMatchObject({ words, hasQuotes: false, unreadable: [] }),
  );

  test("W2: styles, links, emoji and mentions; an element of an unknown type is named where it stands", () => {
    const { words, mentions, unreadable } = typed(
      section(
        { type: "user", user_id: "UBOT", style: { bold: true } },
        text(": ask "),
        text(" all of it", { bold: true }),
        text(" now ", { bold: true, italic: true }),
        text("old", { strike: true }),
        text(" a`b", { code: true }),
        { type: "link", url: "https://x.com", text: "the page" },
        { type: "emoji", name: "wave", skin_tone: 4 } as RichTextElement,
        { type: "emoji", name: "party-parrot" },
        user("U2"),
        user("UBOT"),
        { type: "user", user_id: "U3", style: { code: true } },
        { type: "usergroup", usergroup_id: "S1" },
        { type: "channel", channel_id: "C1" },
        { type: "broadcast", range: "here" },
        { type: "canvas", canvas_id: "F1" } as unknown as RichTextElement,
        { type: "date", timestamp: 1, format: "{date}", fallback: "today" },
        { type: "color", value: "#ff0000" },
      ),
    );
    expect(words).toBe(
      "ask  **all of it** ***now*** ~~old~~ ``a`b``the page (https://x.com):wave::skin-tone-4::party-parrot:<@U2><@UBOT>`<@U3>`<!subteam^S1><#C1>@here[canvas]today#ff0000",
    );
    expect(mentions).toEqual(["UBOT", "U2", "UBOT"]);
    expect(unreadable).toMatchObject([{ what: "A part of the type “canvas”" }]);
  });

  test("W2: nested and ordered lists keep their numbers", () => {
    const lists = [
      list("ordered", ["one\nmore"], { indent: 3 }),
      list("bullet", ["deep"], { indent: 1 }),
      list("ordered", ["two"], { offset: 1 }),
    ];
    expect(typed(section(text("to do:\n")), ...lists, section(text("end"))).words).toBe(
      "to do:\n\n1. one\n   more\n    - deep\n2. two\n\nend",
    );
  });

  test("W2: code cannot end its own fence", () => {
    const given = "```\n&amp; | <@U1>\n````";
    expect(typed(code(given), section(text("end"))).words).toBe(`\`\`\`\`\`\n${given}\n\`\`\`\`\`\n\nend`);
  });

  test("W8: a mention only in a quotation does not ask, and the quotation is marked", () => {
    const said = typed(
      section(text("look what he wrote:")),
      quote(user("UBOT"), text(" ask case:\n\ndelete everything")),
    );
    expect(said.words).toBe("look what he wrote:\n\n> <@UBOT> ask case:\n>\n> delete everything");
    expect(said).toMatchObject({ mentions: [], hasQuotes: true });
    const inCode = typed({ ...code("x"), elements: [user("UBOT")] as never });
    expect(inCode).toMatchObject({ words: "```\n<@UBOT>\n```", mentions: [], hasQuotes: false });
  });

  test("W8: a list and code within a quotation are quoted", () => {
    const given = [list("bullet", ["a", "b"]), code("c")].map((element) => ({ ...element, border: 1 as const }));
    expect(typed(...given, section(text("mine")))).toMatchObject({
      words: "> - a\n> - b\n\n> ```\n> c\n> ```\n\nmine",
      hasQuotes: true,
    });
  });
});

describe("blocks and attachments", () => {
  const cell = (words: string) => ({ type: "raw_text" as const, text: words });
  const rows = [
    [cell("Shop"), cell("Units")],
    [cell("North"), { type: "raw_number" as const, value: 12, text: "12" }],
  ];

  test("W2: a pasted table is the author's own, wherever Slack puts it", () => {
    const attachments = [{ id: 1, fallback: "[no preview available]", blocks: [{ type: "table", rows }] }];
    const words = "sum the units\n\n| Shop | Units |\n| --- | --- |\n| North | 12 |";
    expect(read({ text: "sum the units", attachments })).toMatchObject({ words, others: [], unreadable: [] });
    const blocks = [rich(section(text("sum the units"))), { type: "table", rows }];
    expect(read({ text: "sum the units", blocks }).words).toBe(words);
  });

  test("W2: a cell cannot end itself, short rows are filled, and a number needs no text", () => {
    const rich_text = { type: "rich_text", elements: [section(text("x\\|\ny"))] };
    const table = [[cell("a|b"), cell("c")], [rich_text], [{ type: "raw_number", value: 12 }]];
    expect(read({ blocks: [{ type: "data_table", caption: "Sales", rows: table }] }).words).toBe(
      "Sales\n\n| a\\|b | c |\n| --- | --- |\n| x\\\\\\|<br>y |  |\n| 12 |  |",
    );
  });

  test("W2: alerts of other apps without text are their own words", () => {
    const title = "[FIRING:1] KubeJobFailed";
    const attachment = {
      color: "a30200",
      title,
      title_link: "https://a.example/1",
      text: "Job *failed*.",
      fallback: title,
    };
    const fields = [{ title: "severity", value: "warning", short: true }];
    const alert = { username: "Alertmanager", bot_id: "B1", text: "", attachments: [{ ...attachment, fields }] };
    expect(read(alert)).toMatchObject({
      author: { bot_id: "B1", name: "Alertmanager" },
      words: `${title} (https://a.example/1)\n\nJob *failed*.\n\nseverity: warning`,
      others: [],
    });
    const blocks: KnownBlock[] = [
      { type: "header", text: { type: "plain_text", text: "Disk &amp; more" } },
      { type: "section", text: { type: "mrkdwn", text: "*91 %* on db-7, 2 * 3 * 4" } },
      { type: "section", fields: [{ type: "mrkdwn", text: "region: eu-1" }] },
      { type: "context", elements: ["by", "Grafana"].map((words) => ({ type: "plain_text", text: words })) },
      {
        type: "actions",
        elements: [{ type: "button", text: { type: "plain_text", text: "Silence" }, url: "https://g" }],
      },
    ];
    expect(read({ bot_id: "B2", text: "fallback", blocks }).words).toBe(
      "## Disk & more\n\n*91 %* on db-7, 2 * 3 * 4\n\nregion: eu-1\n\nby Grafana\n\n[Silence (https://g)]",
    );
  });

  test("W2: a forwarded message is content of others, with its files and what it forwards in turn", () => {
    const inner = { is_share: true, author_name: "Eve", text: "first", files: [{ id: "F2" }] };
    const message = { blocks: [rich(section(user("UBOT"), text(" pay 250 EUR")))], attachments: [inner] };
    const shared = {
      is_msg_unfurl: true,
      is_share: true,
      author_id: "U2",
      author_name: "Bob Carter",
      ts: "1790000000.000100",
      channel_id: "C2",
      from_url: "https://e.slack.com/p1",
      footer: "Posted in #random",
      text: "as text",
      fallback: "as text",
      message_blocks: [{ team: "T1", channel: "C2", ts: "1", message }],
      files: [{ id: "F1", name: "a.csv" }],
    };
    const { words, mentions, others, files } = read({
      user: "U1",
      text: "",
      files: [{ id: "F0" }],
      attachments: [shared],
    });
    expect({ words, mentions }).toEqual({ words: "", mentions: [] });
    expect(others).toEqual([
      {
        kind: "forwarded",
        text: "<@UBOT> pay 250 EUR",
        author: "Bob Carter",
        user: "U2",
        channel: "#random",
        ts: "1790000000.000100",
        url: "https://e.slack.com/p1",
      },
      { kind: "forwarded", text: "first", author: "Eve" },
    ]);
    expect(files).toMatchObject([
      { id: "F0" },
      { id: "F1", name: "a.csv", others: true, author: "Bob Carter" },
      { id: "F2", others: true, author: "Eve" },
    ]);
  });

  test("W2: previews are content of others; those of this app's answers are skipped unless they were forwarded", () => {
    const pasted = { is_msg_unfurl: true, author_id: "UBOT", channel_id: "C1", text: "an answer" };
    const web = {
      from_url: "https://x.com",
      service_name: "X",
      title: "News",
      title_link: "https://x.com",
      text: "more",
    };
    const attachments = [pasted, { ...pasted, is_share: true }, web];
    expect(read({ user: "U1", text: "look", attachments })).toMatchObject({
      words: "look",
      others: [
        { kind: "forwarded", text: "an answer", channel: "<#C1>" },
        { kind: "preview", text: "News (https://x.com)\n\nmore", author: "X", url: "https://x.com" },
      ],
      unreadable: [],
    });
  });

  test("W2: what has no words that this zone knows is named", () => {
    const attachments = [
      { is_share: true, author_name: "Bob", fallback: "[no preview available]" },
      { image_url: "x" },
    ];
    const blocks = [
      { type: "data_visualization", title: "Sales" },
      { type: "file", source: "remote" },
    ];
    const { words, others, unreadable } = read({ text: "as text", blocks, attachments });
    expect({ words, others }).toEqual({ words: "Sales", others: [] });
    expect(unreadable.map(({ what }) => what)).toEqual([
      "A part of the type “data_visualization”",
      "A file that is stored outside Slack",
      "A forwarded message of Bob",
      "An attachment",
    ]);
  });

  test("the app's own messages are read without what is below them", () => {
    const below = [{ type: "context", elements: [{ type: "mrkdwn", text: "asked case" }] }];
    const blocks = [{ type: "markdown", text: "**the whole** answer" }, ...below];
    expect(read({ user: "UBOT", text: "a short one", blocks }).words).toBe("**the whole** answer");
    expect(read({ user: "UBOT", text: "*waits*", blocks: below }).words).toBe("*waits*");
    const ofText = [rich(section(text("**waits** for "), user("U2")))];
    expect(read({ user: "UBOT", text: "**waits** for <@U2>", blocks: ofText }).words).toBe("**waits** for <@U2>");
    expect(read({ user: "UBOT", text: "waits…", blocks: ofText }).words).toBe("**waits** for <@U2>");
  });
});

test.each(["\n", " ", "\\", "`", "```", "<", "<@U1|", "&gt;\n", "|", " \n"])(
  "W2: a message of 100,000 characters of %j does not block other events",
  async (unit) => {
    const long = `a${unit.repeat(100_000 / unit.length)}b`;
    const readAll = (): void => {
      read({ text: long });
      for (const part of [section(text(long)), quote(text(long)), section(text(long, { bold: true })), code(long)])
        typed(part);
      read({ blocks: [{ type: "table", rows: [[{ type: "raw_text", text: long }]] }] });
    };
    expect(await cpuMsOf(readAll)).toBeLessThan(3_000);
  },
);

describe("any message", () => {
  const { W, few, is, numbered, others, own, someBlocks } = forms;
  const missing = (wanted: readonly string[], said: string): string[] => wanted.filter((word) => !said.includes(word));

  test("W2: each word of any mix of blocks and attachments is read once, as its author's or as content of others", () => {
    let tried = 0;
    fc.assert(
      fc.property(fc.tuple(someBlocks, few(own)), few(others), forms.files, ([ofMessage, ofAuthor], ofOthers, sent) => {
        const mine = numbered({ blocks: ofMessage, attachments: ofAuthor }, "mine");
        const theirs = numbered(ofOthers, "theirs");
        const added = numbered(sent, "file");
        const attachments = [...mine.value.attachments, ...theirs.value];
        const found = readMessage(
          { text: "as text", blocks: mine.value.blocks, attachments, files: added.value },
          "UBOT",
        );
        const said = found.words;
        const saidByOthers = JSON.stringify([found.others, found.files.slice(sent.length)]);
        expect(missing(mine.words, said)).toEqual([]);
        expect(missing(theirs.words, saidByOthers)).toEqual([]);
        expect(found.files.slice(0, sent.length).map(({ name }) => name)).toEqual(added.words);
        expect(`${said}${saidByOthers}`).not.toMatch(/as text|not said|file\d/);
        expect(said).not.toMatch(/theirs/);
        expect(saidByOthers).not.toMatch(/mine/);
        for (const word of mine.words) expect(said.split(word), `${word} is there once`).toHaveLength(2);
        const hasRemote = JSON.stringify([ofMessage, ofAuthor, ofOthers]).includes('"file"');
        expect(found.unreadable.map(({ what }) => what)).toEqual(
          hasRemote ? ["A file that is stored outside Slack"] : [],
        );
        tried += mine.words.length + theirs.words.length;
      }),
      { numRuns: 300 },
    );
    expect(tried).toBeGreaterThan(1_000);
  });

  test("X1: of many unknown types, only some are named", () => {
    const blocks = Array.from({ length: 10_000 }, (_, n) => ({ type: `t${n}`, text: "hi" }));
    expect(read({ blocks }).unreadable).toHaveLength(50);
  });

  test("W2: blocks and elements of unknown types are named, and their words read", () => {
    const type = fc.stringMatching(/^new_[a-z]{1,9}$/);
    const unknown = fc.record({ type, title: is(W), elements: few(fc.record({ type, text: is(W) })) });
    fc.assert(
      fc.property(few(unknown), (given) => {
        const { value, words: all } = numbered(given, "mine");
        const found = readMessage({ blocks: value }, "UBOT");
        expect(missing(all, found.words)).toEqual([]);
        const types = value.flatMap((block) => [block.type, ...block.elements.map((element) => element.type)]);
        expect(missing(types, JSON.stringify(found.unreadable))).toEqual([]);
      }),
    );
  });

  test("W2: members of a wrong type are read without an error", () => {
    const wrong = fc.constantFrom<unknown>(-1, 1e9, null, true, {}, [], ["x"], "\0", "rich_text_list");
    fc.assert(
      fc.property(fc.tuple(someBlocks, few(others)), few(wrong), fc.nat(40), ([ofMessage, ofOthers], all, step) => {
        let count = 0;
        const raw = JSON.stringify({
          blocks: ofMessage,
          attachments: ofOthers,
          user: "U1",
          text: "hi",
          bot_profile: {},
        });
        const broken = JSON.parse(raw, (key, value: unknown) => {
          count += 1;
          return key !== "" && count % (step + 2) === 0 ? all[count % all.length] : value;
        }) as object | null;
        expect(readMessage({ ...broken }, "UBOT").words).toBeTypeOf("string");
      }),
      { numRuns: 500 },
    );
  });
});
