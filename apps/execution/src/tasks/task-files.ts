import { othersIn, type Part } from "@crosszone/a2a";
import type { Attachment, OthersContent } from "@crosszone/contracts";
import type { ReadFile } from "../agents/agent.ts";
import type { ProgramMessage } from "./task.ts";

/**
 * Grants a task access to its files while it runs. When the signal aborts, reads in progress end, later reads fail, and
 * the handle is dropped even if the function is still referenced. Without a handle every read fails.
 */
export type GrantFiles = (grant: {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
}) => ReadFile;

/** A file's bytes can't be read. The message is a sentence for the person. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** The files of one run of a task. Grants access with the first read: most runs read no file, and an aborted signal costs more than their end. */
export class RunFiles {
  readonly #controller = new AbortController();
  readonly #traceparent: string | undefined;
  #grantFiles: GrantFiles | undefined;
  #handle: string | undefined;
  #granted: ReadFile | undefined;
  #closed: Error | undefined;

  constructor(grantFiles: GrantFiles, handle: string | undefined, traceparent: string | undefined) {
    this.#grantFiles = grantFiles;
    this.#handle = handle;
    this.#traceparent = traceparent;
  }

  readonly readFile: ReadFile = async (id) => {
    if (this.#grantFiles === undefined) throw this.#closed;
    const { signal } = this.#controller;
    this.#granted ??= this.#grantFiles({ handle: this.#handle, traceparent: this.#traceparent, signal });
    return this.#granted(id);
  };

  /** Ends reads in progress, and drops the handle. Later reads reject with this reason. */
  readonly close = (reason: Error): void => {
    if (this.#grantFiles === undefined) return;
    this.#grantFiles = undefined;
    this.#handle = undefined;
    this.#closed = reason;
    if (this.#granted !== undefined) this.#controller.abort(reason);
  };
}

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
