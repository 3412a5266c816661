import type { KnownBlock, MessageAttachment, RichTextBlockElement, RichTextElement } from "@slack/web-api";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readMessage } from "./read-message.ts";

/** Becomes a different word wherever it stands. */
const W = "WORD";

type OfType<Union extends { type: string }> = { [T in Union["type"]]: fc.Arbitrary<Extract<Union, { type: T }>> };
const is = <const Value>(value: Value) => fc.constant<Value>(value);
const typed = <const T extends string, More>(type: T, more: { [K in keyof More]: fc.Arbitrary<More[K]> }) =>
  fc.tuple(fc.record<More>(more), is(type)).map(([members, of]) => ({ ...members, type: of }));
const any = <Value>(all: Readonly<Record<string, fc.Arbitrary<Value>>>) => fc.oneof(...Object.values(all));
const few = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 3 });
const yes = is(true);

const style = fc.record({ bold: yes, italic: yes, strike: yes, code: yes }, { requiredKeys: [] });
const words = fc.constantFrom(W, ` ${W} `, `${W}\n${W}`, `\`${W}`, `*${W} | ${W}\\`, `&lt;${W} > # - ${W}`);
const plain = typed("plain_text", { text: words });
const mrkdwn = typed("mrkdwn", { text: words });
const text = fc.oneof(plain, mrkdwn);

const inline: OfType<RichTextElement> = {
  text: typed("text", { text: words, style }),
  link: typed("link", { url: is(`https://x/${W}/`), text: words, style }),
  emoji: typed("emoji", { name: is(W), style }),
  user: typed("user", { user_id: is("U1"), style }),
  usergroup: typed("usergroup", { usergroup_id: is(W), style }),
  channel: typed("channel", { channel_id: is(W) }),
  team: typed("team", { team_id: is(W) }),
  broadcast: typed("broadcast", { range: fc.constantFrom("here", "channel", "everyone") }),
  date: typed("date", { timestamp: fc.integer(), format: is("{date}"), fallback: words, url: is(W) }),
  color: typed("color", { value: is(W) }),
};
const section = typed("rich_text_section", { elements: few(any<RichTextElement>(inline)) });
const border = fc.constantFrom(0 as const, 1 as const);
const listed = { elements: few(section), border, indent: fc.nat(8), style: fc.constantFrom("bullet", "ordered") };
const parts: OfType<RichTextBlockElement> = {
  rich_text_section: section,
  rich_text_list: typed("rich_text_list", listed),
  rich_text_quote: typed("rich_text_quote", { elements: few(any<RichTextElement>(inline)) }),
  rich_text_preformatted: typed("rich_text_preformatted", {
    border,
    elements: few(fc.oneof(inline.text, inline.link)),
  }),
};

const rich_text = typed("rich_text", { elements: few(any<RichTextBlockElement>(parts)) });
const icon = typed("image", { alt_text: words, image_url: is("https://x") });
const button = typed("button", { text: plain });
const numberCell = typed("raw_number", { value: fc.integer(), text: words });
const rows = few(few(fc.oneof(typed("raw_text", { text: words }), numberCell, rich_text)));
const cardActions = few(button);
const card = typed("card", {
  hero_image: icon,
  icon,
  title: mrkdwn,
  subtitle: mrkdwn,
  body: mrkdwn,
  actions: cardActions,
});
const sources = few(typed("url", { url: is(W), text: words }));
const details = { details: rich_text, output: rich_text, sources, status: is("complete") };
const task_card = typed("task_card", { task_id: is("1"), title: words, ...details });
const entered = typed("plain_text_input", { initial_value: is("not said") });
const shown = { video_url: is("x"), thumbnail_url: is("x"), title: plain, title_url: is(W), alt_text: words };
const leaves = {
  actions: typed("actions", { elements: few(button) }),
  context: typed("context", { elements: few(fc.oneof(icon, text)) }),
  divider: typed("divider", {}),
  file: typed("file", { source: is("remote"), external_id: is("1") }),
  header: typed("header", { text: plain }),
  image: typed("image", { alt_text: words, title: plain, image_url: is("https://x") }),
  input: typed("input", { label: plain, hint: plain, element: entered }),
  rich_text,
  section: typed("section", { text, fields: few(text), accessory: icon }),
  table: typed("table", { rows }),
  video: typed("video", { ...shown, author_name: words, description: plain }),
};
const child_blocks = few(fc.oneof(...Object.values(leaves)));
const blocks: OfType<KnownBlock> = {
  ...leaves,
  alert: typed("alert", { text }),
  card,
  carousel: typed("carousel", { elements: few(card) }),
  container: typed("container", { title: plain, rich_text_title: rich_text, subtitle: text, icon, child_blocks }),
  context_actions: typed("context_actions", { elements: fc.constant<[]>([]) }),
  data_table: typed("data_table", { rows, caption: words }),
  markdown: typed("markdown", { text: words }),
  plan: typed("plan", { title: words, tasks: few(task_card) }),
  task_card,
};
const someBlocks = few(any<KnownBlock>(blocks)).filter((all) => JSON.stringify(all).includes(W));

const files = few(fc.record({ id: is("F1"), name: is(W) }));
const names = { author_name: words, author_subname: words, title: words, title_link: is(W) };
const fields = few(fc.record({ title: words, value: words }));
const alert = { ...names, pretext: words, text: words, fields, footer: words, fallback: is("[no preview available]") };
const repeated = { text: is("as text"), fallback: is("as text") };
const own: fc.Arbitrary<MessageAttachment> = fc.oneof(
  fc.record(alert, { requiredKeys: ["title"] }),
  fc.record({ ...repeated, blocks: someBlocks, pretext: words }),
);
const message = fc.record({ message: fc.record({ blocks: someBlocks, attachments: few(own), files }) });
const forwarded = fc.record({ ...names, ...repeated, message_blocks: few(message), files, is_share: yes });
const marks = fc.constantFrom({ is_app_unfurl: true }, { from_url: `x/${W}` }, { app_unfurl_url: `x/${W}` });
const others = fc.oneof(
  forwarded.map((given) => ({ ...given, footer: "Posted in #random" })),
  fc.tuple(own, marks).map(([given, mark]) => ({ ...given, ...mark })),
);

/** Gives each word a number, and returns them. */
function numbered<Given>(given: Given, from: string): { readonly value: Given; readonly words: string[] } {
  const all: string[] = [];
  const json = JSON.stringify(given).replaceAll(W, () => `${from}${all.push(`${from}${all.length}x`) - 1}x`);
  return { value: JSON.parse(json) as Given, words: all };
}

const missing = (wanted: readonly string[], said: string): string[] => wanted.filter((word) => !said.includes(word));

test("W2: each word of any mix of blocks and attachments is read once, as its author's or as content of others", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.tuple(someBlocks, few(own)), few(others), files, ([ofMessage, ofAuthor], ofOthers, sent) => {
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
      read += mine.words.length + theirs.words.length;
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(1_000);
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
      const raw = JSON.stringify({ blocks: ofMessage, attachments: ofOthers, user: "U1", text: "hi", bot_profile: {} });
      const broken = JSON.parse(raw, (key, value: unknown) => {
        count += 1;
        return key !== "" && count % (step + 2) === 0 ? all[count % all.length] : value;
      }) as object | null;
      expect(readMessage({ ...broken }, "UBOT").words).toBeTypeOf("string");
    }),
    { numRuns: 500 },
  );
});
