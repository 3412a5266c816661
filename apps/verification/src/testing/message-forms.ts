import type { KnownBlock, MessageAttachment, RichTextBlockElement, RichTextElement } from "@slack/web-api";
import * as fc from "fast-check";

/** Any message as Slack may send it. Each word of it is `W`, until `numbered` gives each its own. */
export const W = "WORD";

type OfType<Union extends { type: string }> = { [T in Union["type"]]: fc.Arbitrary<Extract<Union, { type: T }>> };
export const is = <const Value>(value: Value) => fc.constant<Value>(value);
const typed = <const T extends string, More>(type: T, more: { [K in keyof More]: fc.Arbitrary<More[K]> }) =>
  fc.tuple(fc.record<More>(more), is(type)).map(([members, of]) => ({ ...members, type: of }));
const any = <Value>(all: Readonly<Record<string, fc.Arbitrary<Value>>>) => fc.oneof(...Object.values(all));
export const few = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 3 });
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
export const someBlocks = few(any<KnownBlock>(blocks)).filter((all) => JSON.stringify(all).includes(W));

export const files = few(fc.record({ id: is("F1"), name: is(W) }));
const names = { author_name: words, author_subname: words, title: words, title_link: is(W) };
const fields = few(fc.record({ title: words, value: words }));
const alert = { ...names, pretext: words, text: words, fields, footer: words, fallback: is("[no preview available]") };
const repeated = { text: is("as text"), fallback: is("as text") };
export const own: fc.Arbitrary<MessageAttachment> = fc.oneof(
  fc.record(alert, { requiredKeys: ["title"] }),
  fc.record({ ...repeated, blocks: someBlocks, pretext: words }),
);
const message = fc.record({ message: fc.record({ blocks: someBlocks, attachments: few(own), files }) });
const forwarded = fc.record({ ...names, ...repeated, message_blocks: few(message), files, is_share: yes });
const marks = fc.constantFrom({ is_app_unfurl: true }, { from_url: `x/${W}` }, { app_unfurl_url: `x/${W}` });
export const others = fc.oneof(
  forwarded.map((given) => ({ ...given, footer: "Posted in #random" })),
  fc.tuple(own, marks).map(([given, mark]) => ({ ...given, ...mark })),
);

/** Gives each word a number, and returns them. */
export function numbered<Given>(given: Given, from: string): { readonly value: Given; readonly words: string[] } {
  const all: string[] = [];
  const json = JSON.stringify(given).replaceAll(W, () => `${from}${all.push(`${from}${all.length}x`) - 1}x`);
  return { value: JSON.parse(json) as Given, words: all };
}
