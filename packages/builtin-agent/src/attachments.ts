import type { Attachment } from "@crosszone/contracts";
import {
  type BuiltinSkill,
  code,
  counted,
  type SkillQuestion,
  type RunContext,
  tableText,
  type UnreadFile,
} from "./skill.ts";

const MOST_BYTES = 1_000_000;
const MOST_FILES = 5;
const TEXT_TYPE = /^(?:text\/(?!html\b)|application\/(?:json|csv)\b|application\/[\w.-]+\+json\b)/i;
const TEXT_NAME = /\.(?:txt|text|log|csv|tsv|json|md|markdown)$/i;

/** Reads the contents of text files and adds them to their attachments. Returns a reason for each other file. */
export async function readAttachments(
  attachments: readonly Attachment[],
  { readFile, signal }: RunContext,
): Promise<{ attachments: Attachment[]; unread: UnreadFile[] }> {
  const unread: UnreadFile[] = [];
  let read = 0;
  const all = attachments.map(async (attachment) => {
    if (attachment.text !== undefined) return attachment;
    const why =
      reasonNotTo(attachment) ?? (++read > MOST_FILES ? `I read only the first ${counted(MOST_FILES, "file")}.` : "");
    try {
      if (why !== "") throw new Error(why);
      return { ...attachment, text: textOf(await readFile(attachment.id ?? "")) };
    } catch (error) {
      signal.throwIfAborted();
      unread.push({ name: attachment.name ?? "unnamed", why: (error as Error).message });
      return attachment;
    }
  });
  return { attachments: await Promise.all(all), unread };
}

/** Why a file is not fetched at all. */
function reasonNotTo({ id, name = "", mime_type = "", size = 0, unreadable }: Attachment): string | undefined {
  if (unreadable !== undefined) return unreadable;
  if (!TEXT_TYPE.test(mime_type) && !TEXT_NAME.test(name)) return "I read only text, CSV, JSON and Markdown.";
  if (size > MOST_BYTES) return TOO_LARGE;
  return id === undefined ? "It came without an id, so it can't be fetched." : undefined;
}

const TOO_LARGE = "It is larger than 1 MB, the most that I read.";

function textOf(bytes: Uint8Array): string {
  if (bytes.length > MOST_BYTES) throw new Error(TOO_LARGE);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("It is not UTF-8 text.");
  }
}

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
export function describeAttachments({ input: { attachments }, unread }: SkillQuestion): string {
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
    tableText(["Name", "Type", "Size", "Contents"], rows),
    unreadFilesNote(unread),
    hasText ? "To work with a file I read, write `text statistics`." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** step).toFixed(1))} ${units[step]}`;
}
