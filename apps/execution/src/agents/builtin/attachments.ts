import type { Attachment } from "@crosszone/contracts";
import { code, counted, table } from "./markdown.ts";
import type { BuiltinSkill } from "./skill.ts";

const MOST_ROWS = 20;

/** Says what arrived when files came with a message that no other skill takes. */
export const attachmentList: BuiltinSkill = {
  id: "attachments",
  name: "Files",
  description: "Says which files arrived with your message. It cannot open them: file contents do not reach it yet.",
  examples: ["what did I attach"],
  match: ({ input, phrase }) => {
    const { attachments } = input;
    const isAsked = /^what(?: files?)? (?:did i (?:attach|send|upload)|have i (?:attached|sent|uploaded))/i.test(
      phrase,
    );
    if (attachments.length === 0) return isAsked ? () => "No file arrived with your message." : undefined;
    return () => describe(attachments);
  },
};

/** One line for an answer that had to do without the files; empty when all contents came along, or no file came. */
export function unreadFilesNote(attachments: readonly Attachment[]): string {
  const unread = attachments.filter(isUnread);
  if (unread.length === 0) return "";
  const names = unread.slice(0, 3).map(({ name }) => code(name ?? "unnamed", 60));
  return `_I did not read ${counted(unread.length, "file")} (${names.join(", ")}${unread.length > 3 ? ", …" : ""}): file contents do not reach me yet._`;
}

function describe(attachments: readonly Attachment[]): string {
  const rows = attachments
    .slice(0, MOST_ROWS)
    .map((attachment) => [
      attachment.name ?? "unnamed",
      attachment.mime_type ?? "unknown",
      attachment.size === undefined ? "unknown" : sizeText(attachment.size),
      isUnread(attachment) ? "no" : "yes",
    ]);
  const hasUnread = attachments.some(isUnread);
  const hasText = !attachments.every(isUnread);
  return [
    `**${counted(attachments.length, "file")} arrived:**`,
    table(["Name", "Type", "Size", "Contents"], rows),
    hasUnread
      ? "Only the description of a file comes to me. File contents do not cross to this zone yet, so I cannot open them. Please paste the text instead."
      : "",
    hasText ? "For contents that came along, write `text statistics` or `summarize the file`." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function isUnread({ text }: Attachment): boolean {
  return text === undefined;
}

function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** step).toFixed(1))} ${units[step]}`;
}
