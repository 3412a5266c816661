import type {
  KnownBlock,
  MessageAttachment,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
} from "@slack/web-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readMessage } from "./read-message.ts";

/** Becomes a different word wherever it stands. */
const W = "WORD";

type OfType<Union extends { type: string }> = { [T in Union["type"]]: fc.Arbitrary<Extract<Union, { type: T }>> };
const any = <Value>(all: Readonly<Record<string, fc.Arbitrary<Value>>>) => fc.oneof(...Object.values(all));
const few = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 3 });
const yes = fc.constant(true as const);

const style = fc.record({ bold: yes, italic: yes, strike: yes, code: yes }, { requiredKeys: [] });
const words = fc.constantFrom(W, ` ${W} `, `${W}\n${W}`, `\`${W}`, `*${W} | ${W}\\`, `&lt;${W} > # - ${W}`);
const plainText = fc.record({ type: fc.constant("plain_text" as const), text: words });
const textObject = fc.oneof(plainText, fc.record({ type: fc.constant("mrkdwn" as const), text: words }));
const mrkdwn = fc.record({ type: fc.constant("mrkdwn" as const), text: words });
const of = <T extends string>(type: T) => fc.constant(type);

const inline: OfType<RichTextElement> = {
  text: fc.record({ type: of("text"), text: words, style }),
  link: fc.record(
    { type: of("link"), url: of(`https://x/${W}/`), text: words, style },
    { requiredKeys: ["type", "url"] },
  ),
  emoji: fc.record({ type: of("emoji"), name: of(W), style }),
  user: fc.record({ type: of("user"), user_id: of("U1"), style }),
  usergroup: fc.record({ type: of("usergroup"), usergroup_id: of(W), style }),
  channel: fc.record({ type: of("channel"), channel_id: of(W) }),
  team: fc.record({ type: of("team"), team_id: of(W) }),
  broadcast: fc.record({ type: of("broadcast"), range: fc.constantFrom("here", "channel", "everyone") }),
  date: fc.record({ type: of("date"), timestamp: fc.integer(), format: of("{date}"), fallback: words, url: of(W) }),
  color: fc.record({ type: of("color"), value: of(W) }),
};
const section = fc.record({ type: of("rich_text_section"), elements: few(any<RichTextElement>(inline)) });
const border = fc.constantFrom(0 as const, 1 as const);
const parts: OfType<RichTextBlockElement> = {
  rich_text_section: section,
  rich_text_list: fc.record({
    ...{ type: of("rich_text_list"), elements: few(section), border, indent: fc.nat(8) },
    style: fc.constantFrom("bullet", "ordered"),
  }),
  rich_text_quote: fc.record({ type: of("rich_text_quote"), elements: few(any<RichTextElement>(inline)) }),
  rich_text_preformatted: fc.record({
    ...{ type: of("rich_text_preformatted"), border },
    elements: few(fc.oneof(inline.text, inline.link)),
  }),
};
const richText: fc.Arbitrary<RichTextBlock> = fc.record({
  type: of("rich_text"),
  elements: few(any<RichTextBlockElement>(parts)),
});

const image = fc.record({ type: of("image"), alt_text: words, image_url: of("https://x") });
const button = fc.record({ type: of("button"), text: plainText });
const cell = fc.oneof(
  fc.record({ type: of("raw_text"), text: words }),
  fc.record({ type: of("raw_number"), value: fc.integer(), text: words }),
  richText,
);
const rows = few(few(cell));
const card = fc.record({
  ...{ type: of("card"), hero_image: image, icon: image, title: mrkdwn, subtitle: mrkdwn, body: mrkdwn },
  actions: few(button),
});
const taskCard = fc.record({
  ...{ type: of("task_card"), task_id: of("1"), title: words, details: richText, output: richText },
  ...{ status: of("complete"), sources: few(fc.record({ type: of("url"), url: of(W), text: words })) },
});
const leaves = {
  alert: fc.record({ type: of("alert"), text: textObject }),
  actions: fc.record({ type: of("actions"), elements: few(button) }),
  context: fc.record({ type: of("context"), elements: few(fc.oneof(image, textObject)) }),
  context_actions: fc.record({ type: of("context_actions"), elements: fc.constant<[]>([]) }),
  divider: fc.record({ type: of("divider") }),
  file: fc.record({ type: of("file"), source: of("remote"), external_id: of("1") }),
  header: fc.record({ type: of("header"), text: plainText }),
  image: fc.record({ type: of("image"), alt_text: words, title: plainText, image_url: of("https://x") }),
  input: fc.record({
    ...{ type: of("input"), label: plainText, hint: plainText },
    element: fc.record({ type: of("plain_text_input"), initial_value: of("not said") }),
  }),
  rich_text: richText,
  section: fc.record({ type: of("section"), text: textObject, fields: few(textObject), accessory: image }),
  table: fc.record({ type: of("table"), rows }),
  video: fc.record({
    ...{ type: of("video"), video_url: of("x"), thumbnail_url: of("x"), title_url: of(W), author_name: words },
    ...{ title: plainText, description: plainText, alt_text: words },
  }),
};
const { actions, context, divider, file, header, input, section: sectionBlock, table, video } = leaves;
const blocks: OfType<KnownBlock> = {
  ...leaves,
  card,
  carousel: fc.record({ type: of("carousel"), elements: few(card) }),
  container: fc.record({
    ...{ type: of("container"), title: plainText, rich_text_title: richText, subtitle: textObject, icon: image },
    child_blocks: few(
      fc.oneof(actions, context, divider, file, header, leaves.image, input, richText, sectionBlock, table, video),
    ),
  }),
  data_table: fc.record({ type: of("data_table"), rows, caption: words }),
  markdown: fc.record({ type: of("markdown"), text: words }),
  plan: fc.record({ type: of("plan"), title: words, tasks: few(taskCard) }),
  task_card: taskCard,
};
const someBlocks = few(any<KnownBlock>(blocks)).filter((all) => JSON.stringify(all).includes(W));

const files = few(fc.record({ id: of("F1"), name: of(W) }));
const field = fc.record({ title: words, value: words });
const attachment: fc.Arbitrary<MessageAttachment> = fc.record(
  {
    ...{ pretext: words, author_name: words, author_subname: words, title: words, title_link: of(W), text: words },
    ...{ fields: few(field), footer: words, fallback: of("[no preview available]") },
  },
  { requiredKeys: ["title"] },
);
const withBlocks = fc.record({ blocks: someBlocks, fallback: of("as text"), text: of("as text"), pretext: words });
const own = fc.oneof(attachment, withBlocks);
const message = fc.record({ message: fc.record({ blocks: someBlocks, attachments: few(own), files }) });
const marks = fc.constantFrom({ is_share: true, is_msg_unfurl: true }, { is_app_unfurl: true }, { from_url: `x/${W}` });
const others = fc
  .tuple(own, marks, fc.record({ files, message_blocks: few(message), footer: words }, { requiredKeys: [] }))
  .map(([given, mark, { footer, ...more }]) => {
    // Slack's own footer of a message, and blocks that repeat the forwarded ones, are not said.
    const { blocks: _blocks, footer: _footer, ...rest } = given as MessageAttachment;
    const said = { ...("message_blocks" in more ? { ...rest, text: "as text" } : given), ...more, ...mark };
    return { ...said, footer: "is_share" in mark ? "Posted in #random" : footer };
  });

/** Gives each word a number, and returns them. */
function numbered<Given>(given: Given, from: string): { readonly value: Given; readonly words: string[] } {
  const all: string[] = [];
  const text = JSON.stringify(given).replaceAll(W, () => {
    all.push(`${from}${all.length}x`);
    return all.at(-1) ?? "";
  });
  return { value: JSON.parse(text) as Given, words: all };
}

const missing = (wanted: readonly string[], text: string): string[] => wanted.filter((word) => !text.includes(word));

test("W2: each word of any mix of blocks and attachments is read once, as its author's or as content of others", () => {
  let read = 0;
  fc.assert(
    fc.property(someBlocks, few(own), few(others), files, (ofMessage, ofAuthor, ofOthers, sent) => {
      const mine = numbered({ blocks: ofMessage, attachments: ofAuthor }, "mine");
      const theirs = numbered(ofOthers, "theirs");
      const added = numbered(sent, "file");
      const attachments = [...mine.value.attachments, ...theirs.value];
      const found = readMessage(
        { text: "as text", blocks: mine.value.blocks, attachments, files: added.value },
        "UBOT",
      );
      const said = JSON.stringify(found.words);
      const saidByOthers = JSON.stringify([found.others, found.files]);
      expect(missing(mine.words, said)).toEqual([]);
      expect(missing(theirs.words, saidByOthers)).toEqual([]);
      expect(found.files.slice(0, sent.length).map(({ name, others: of }) => [name, of])).toEqual(
        added.words.map((name) => [name, undefined]),
      );
      expect(`${said}${saidByOthers}`).not.toMatch(/as text|not said/);
      expect(said).not.toMatch(/theirs|file\d/);
      expect(saidByOthers).not.toMatch(/mine/);
      for (const word of mine.words) expect(said.split(word), `${word} is there once`).toHaveLength(2);
      const hasRemote = JSON.stringify([ofMessage, ofAuthor, ofOthers]).includes('"file"');
      expect(found.unreadable.map(({ what }) => what)).toEqual(
        hasRemote ? ["A file that is stored outside Slack"] : [],
      );
      read += mine.words.length + theirs.words.length;
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(1_000);
});

test("W2: unknown blocks and elements are named, and their words read", () => {
  const type = fc.stringMatching(/^new_[a-z]{1,9}$/);
  const unknown = fc.record({ type, title: of(W), elements: few(fc.record({ type, text: of(W) })) });
  fc.assert(
    fc.property(few(unknown), (given) => {
      const { value, words: all } = numbered(given, "mine");
      const { words: said, unreadable } = readMessage({ blocks: value }, "UBOT");
      expect(missing(all, said)).toEqual([]);
      const types = value.flatMap((block) => [block.type, ...block.elements.map((element) => element.type)]);
      expect(missing(types, JSON.stringify(unreadable))).toEqual([]);
    }),
  );
});

test("W2: members of any type are read without an error", () => {
  const member = fc.constantFrom(
    ...["type", "text", "elements", "indent", "style", "offset", "rows", "url", "timestamp", "border"],
    ...["blocks", "message_blocks", "message", "attachments", "is_share", "fields", "files", "from_url", "user"],
  );
  const value = fc.constantFrom<unknown>("rich_text", "rich_text_list", "table", "date", "rich_text_section", -1, null);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 7 }, value, fc.array(tie("tree"), { maxLength: 3 }), tie("object")),
    object: fc.dictionary(member, tie("tree"), { maxKeys: 5 }),
  }));
  fc.assert(
    fc.property(tree, tree, (first, second) => {
      expect(
        readMessage({ blocks: [first], attachments: [second], text: first, user: second }, "UBOT").words,
      ).toBeTypeOf("string");
    }),
    { numRuns: 500 },
  );
});
