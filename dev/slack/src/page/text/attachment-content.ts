import { blockContent, grouped } from "./block-content.ts";
import { type Block, listOf, stringOf } from "./block-element.ts";
import type { Content } from "./content.ts";

const mrkdwn = (text: string): Content[] => (text === "" ? [] : [{ kind: "mrkdwn", text }]);
const note = (text: string): Content[] => (text === "" ? [] : [{ kind: "context", texts: [text] }]);

/**
 * Returns what to draw for an attachment: a forwarded message, the preview of a link, or an alert. Blocks alone, such as a pasted table, need
 * no frame. See https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments
 */
export function attachmentContents(attachment: unknown): Content[] {
  const block = (attachment ?? {}) as Block;
  const of = (name: string): string => stringOf(block[name]);
  const title = of("title_link") === "" ? of("title") : `<${of("title_link")}|${of("title")}>`;
  const shared = listOf(block["message_blocks"]).map(({ message }) => (message ?? {}) as Block);
  const blocks = contentsOf([...listOf(block["blocks"]), ...(of("text") === "" ? shared.flatMap(blocksOf) : [])]);
  const fields = listOf(block["fields"]).flatMap((field) =>
    mrkdwn(`*${stringOf(field["title"])}*\n${stringOf(field["value"])}`),
  );
  const files = listOf(block["files"]).map(({ name, id }) => stringOf(name) || stringOf(id));
  const around = [
    ...note(of("author_name") && `*${of("author_name")}* ${of("author_subname")}`.trim()),
    ...mrkdwn(of("pretext")),
    ...mrkdwn(title && `*${title}*`),
    ...mrkdwn(of("text")),
    ...(fields.length > 0 ? [grouped("fields", fields)] : []),
  ];
  const after = [
    ...note(files.length > 0 ? `Files: ${files.join(", ")}` : ""),
    ...shared.flatMap((message) => listOf(message["attachments"]).flatMap(attachmentContents)),
    ...note(of("footer")),
  ];
  const contents = [...around, ...blocks, ...after];
  if (contents.length === 0) return mrkdwn(of("fallback"));
  if (contents.length === blocks.length && of("color") === "") return blocks;
  const color = colors[of("color")] ?? (of("color") && `#${of("color").replace(/^#/, "")}`);
  return [{ kind: "group", style: "attachment", title: "", contents, ...(color && { color }) }];
}

const colors: Readonly<Record<string, string>> = { good: "#2eb67d", warning: "#ecb22e", danger: "#e01e5a" };
const blocksOf = ({ blocks }: Block): Block[] => listOf(blocks);
const contentsOf = (blocks: readonly Block[]): Content[] => blocks.flatMap((block) => blockContent(block, true) ?? []);
