import { type AgentTaskFile, type Attachment, threadFileIds, type UnreadableContent } from "@crosszone/contracts";
import { labelName } from "@crosszone/service-kit/text";
import type { AgentAnswer, AgentMessage, FileAccess, RunTime } from "../agent.ts";
import { fileName } from "../answer-with.ts";

/** A file of a task, and how long a link to it is valid, milliseconds. */
export interface FileToLink {
  readonly task_id: string;
  /** The id of the attachment. */
  readonly file_id: string;
  /** Digest of the requester's team. */
  readonly team: string | undefined;
  readonly forMs: number;
}

/** Creates links that agents use to download files. */
export interface FileLinking {
  /** Largest file that a link can return, bytes. */
  readonly maxBytes: number;
  /** Returns the URL of a new link. */
  readonly linkFile: (file: FileToLink) => Promise<string>;
}

/** Returns links for the files of a task, which expire at its deadline at the latest; undefined without a deadline. */
export function linksOfTask(
  { maxBytes, linkFile }: FileLinking,
  task: { readonly task_id: string; readonly team: string | undefined },
  { now, deadline }: RunTime,
) {
  if (deadline === undefined) return undefined;
  const linkTo = (file_id: string): Promise<string> =>
    linkFile({ ...task, file_id, forMs: deadline.getTime() - now().getTime() });
  return { maxBytes, linkTo };
}

/** Total size of a task's files, bytes. They are sent as base64 in one bus message; a Kafka topic accepts 1 MB by default. */
export const mostFileBytes = 600_000;

interface FileLeftOut {
  readonly name: string | undefined;
  /** A few words, or a sentence for the requester. */
  readonly reason: string;
}

type Contents = { readonly size: number; readonly bytes: string } | { readonly size: number; readonly url: string };

/**
 * Reads the attachments of a question, in order. Returns the files that are sent to the agent, with contents or a link, and why each of the
 * others is not. Those of the thread come last, so they are sent only if they fit. With `links`, files that do not fit get a link. Rejects
 * with the signal's reason, or when a link cannot be stored.
 */
export async function filesForAgent(
  attachments: readonly Attachment[],
  { readFile, signal }: FileAccess,
  links?: ReturnType<typeof linksOfTask>,
): Promise<{ readonly files: AgentTaskFile[]; readonly leftOut: FileLeftOut[] }> {
  const files: AgentTaskFile[] = [];
  const leftOut: FileLeftOut[] = [];
  let room = mostFileBytes;
  for (const attachment of attachments) {
    const contents = await contentsOf(attachment, room);
    if (typeof contents === "string") {
      leftOut.push({ name: attachment.name, reason: contents });
      continue;
    }
    const { name = "file", mime_type = "application/octet-stream" } = attachment;
    if ("bytes" in contents) room -= contents.size;
    files.push({ name: name.slice(0, 255), media_type: mime_type, ...contents });
  }
  return { files, leftOut };

  /** Returns the contents, or the reason why they are not sent. */
  async function contentsOf({ id, size, text, unreadable }: Attachment, most: number): Promise<Contents | string> {
    if (unreadable !== undefined) return unreadable;
    if (size !== undefined && size > most) return linkTo(id, size);
    const bytes = text === undefined ? await read(id) : Buffer.from(text);
    if (typeof bytes === "string") return bytes;
    if (bytes.length > most) return linkTo(id, bytes.length);
    return { size: bytes.length, bytes: Buffer.from(bytes).toString("base64") };
  }

  async function linkTo(id: string | undefined, size: number): Promise<Contents | string> {
    if (id === undefined || links === undefined || size > links.maxBytes) return "too large";
    return { size, url: await links.linkTo(id) };
  }

  async function read(id: string | undefined): Promise<Uint8Array | string> {
    if (id === undefined) return "It came without an id, so it can't be fetched.";
    try {
      return await readFile(id);
    } catch (error) {
      signal.throwIfAborted();
      return (error as Error).message;
    }
  }
}

/** Returns the files that were not in the thread before the app's last message. An earlier answer has named the others. */
export function notNamedBefore(leftOut: readonly FileLeftOut[], { thread, attachments }: AgentMessage): FileLeftOut[] {
  const before = threadFileIds(thread.slice(0, thread.findLastIndex(({ bot }) => bot === true) + 1));
  const [known, fresh] = [true, false].map(
    (isBefore) => new Set(attachments.flatMap(({ id, name }) => (before.has(id) === isBefore ? name : []))),
  );
  return leftOut.filter(({ name }) => !known?.has(name) || fresh?.has(name));
}

/** Returns the answer with a last line that names the files, and other parts of the message, that the agent did not get. */
export function sayLeftOut(
  answer: AgentAnswer,
  agent: string,
  {
    files = [],
    parts = [],
  }: { readonly files?: readonly FileLeftOut[]; readonly parts?: readonly UnreadableContent[] },
): AgentAnswer {
  const named = [
    ...files.map(({ name, reason }) => ({ what: fileName(name, "a file"), why: reason })),
    ...parts.map(({ what, why }) => ({ what: labelName(what), why })),
  ].map(({ what, why }) => `${what} (${why.replace(/\.$/, "")})`);
  if (named.length === 0) return answer;
  return { ...answer, response_text: `${answer.response_text}\n\nNot sent to ${agent}: ${named.join(", ")}.` };
}
