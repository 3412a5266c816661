import type { Attachment } from "@crosszone/contracts";
import type { RunContext } from "../agent.ts";
import { counted } from "../markdown.ts";

/** A file that the answer doesn't consider. */
export interface UnreadFile {
  readonly name: string;
  /** A sentence. */
  readonly why: string;
}

const MOST_BYTES = 1_000_000;
const MOST_FILES = 5;
const TEXT_TYPE = /^(?:text\/(?!html\b)|application\/(?:json|csv)\b|application\/[\w.-]+\+json\b)/i;
const TEXT_NAME = /\.(?:txt|text|log|csv|tsv|json|md|markdown)$/i;

/** Reads the contents of text files and adds them to their attachments. Returns a reason for each other file. */
export async function readAttachments(
  attachments: readonly Attachment[],
  { readFile, signal }: Pick<RunContext, "readFile" | "signal">,
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
function reasonNotTo({ id, name = "", mime_type = "", size = 0 }: Attachment): string | undefined {
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
