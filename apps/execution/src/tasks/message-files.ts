import { othersIn, type Part } from "@crosszone/a2a";
import type { Attachment, OthersContent } from "@crosszone/contracts";
import { type GrantFiles, UnreadableFileError } from "./run-agent.ts";
import type { ProgramMessage } from "./task.ts";

const filesOf = ({ parts }: ProgramMessage): readonly (Part & { readonly raw: string })[] =>
  parts.filter((part): part is Part & { readonly raw: string } => part.raw !== undefined);

/** Returns the files of a program's message as attachments. Their ids are their places, from 1. */
export const attachmentsOf = (message: ProgramMessage): Attachment[] =>
  filesOf(message).map(({ raw, filename, mediaType }, index) => ({
    id: String(index + 1),
    name: filename ?? `file-${index + 1}`,
    mime_type: mediaType ?? "application/octet-stream",
    size: Buffer.byteLength(raw, "base64"),
  }));

/** Returns a message as text for an agent: its texts, and its data as JSON, without content of others. */
export const textOfMessage = ({ parts }: ProgramMessage): string =>
  parts
    .filter((part) => othersIn(part) === undefined)
    .flatMap(({ text, data }) => text ?? (data === undefined ? [] : JSON.stringify(data)))
    .join("\n");

/** Returns the content of others in a message: the program passes it on, as another zone does. */
export const othersOfMessage = ({ parts }: ProgramMessage): OthersContent[] =>
  parts.map(othersIn).filter((content) => content !== undefined);

/** Reads the files of a message. */
export const grantMessageFiles =
  (message: ProgramMessage | undefined): GrantFiles =>
  () =>
  async (id) => {
    const file = message && filesOf(message)[Number(id) - 1];
    if (file === undefined) throw new UnreadableFileError("This file doesn't exist.");
    return Buffer.from(file.raw, "base64");
  };
