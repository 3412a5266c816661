import type { UnreadFile } from "./documents/read-attachments.ts";
import { code, counted, table } from "./markdown.ts";
import type { Question } from "./question.ts";
import type { BuiltinSkill } from "./skill.ts";

const MOST_ROWS = 20;

/** Lists the files that arrived with the message. */
export const attachmentList: BuiltinSkill = {
  id: "attachments",
  name: "Files",
  description: "Lists the files that arrived with your message, which of them were read, and why the others were not.",
  examples: ["what did I attach"],
  match: (question) =>
    /^what(?: files?)? (?:did i (?:attach|send|upload)|have i (?:attached|sent|uploaded))/i.test(question.phrase)
      ? () => describeAttachments(question)
      : undefined,
};

/** Says which files an answer doesn't consider and why, a line per reason. Empty when all files were read. */
export function unreadFilesNote(unread: readonly UnreadFile[]): string {
  return [...Map.groupBy(unread, ({ why }) => why)]
    .map(([why, files]) => {
      const names = files.slice(0, 3).map(({ name }) => code(name, 60));
      return `_I did not read ${counted(files.length, "file")} (${names.join(", ")}${files.length > 3 ? ", …" : ""}). ${why}_`;
    })
    .join("\n");
}

/** Describes a message's files. Also the answer when files come with a message that no skill matches. */
export function describeAttachments({ input: { attachments }, unread }: Question): string {
  if (attachments.length === 0) return "No file arrived with your message.";
  const rows = attachments
    .slice(0, MOST_ROWS)
    .map(({ name, mime_type, size, text }) => [
      name ?? "unnamed",
      mime_type ?? "unknown",
      size === undefined ? "unknown" : sizeText(size),
      text === undefined ? "not read" : "read",
    ]);
  const hasText = attachments.some(({ text }) => text !== undefined);
  return [
    `**${counted(attachments.length, "file")} arrived:**`,
    table(["Name", "Type", "Size", "Contents"], rows),
    unreadFilesNote(unread),
    hasText ? "To work with a file I read, write for example `text statistics` or `summarize the file`." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** step).toFixed(1))} ${units[step]}`;
}
