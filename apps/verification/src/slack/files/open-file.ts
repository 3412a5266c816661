import type { SlackApi, SlackFileInfo } from "../slack-api.ts";
import { SlackCallError } from "../slack-call-error.ts";
import { startBody } from "./capped-body.ts";
import { checkAnswer } from "./check-answer.ts";
import { checkStart, startBytes } from "./check-start.ts";
import type { FileHost } from "./file-host.ts";
import { FileRefusedError } from "./file-refusal.ts";
import { judgeFile, type FileRules } from "./judge-file.ts";

/** A file that can be served. */
export interface OpenedFile {
  /** Media type, as Slack declares it. */
  readonly type: string;
  /** Size in bytes, if Slack's host announced it. */
  readonly length?: number;
  /** Throws a `FileRefusedError` when the body exceeds the limit. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface OpenFileDeps {
  readonly slack: Pick<SlackApi, "fileInfo">;
  readonly host: FileHost;
  readonly rules: Omit<FileRules, "origin">;
}

/**
 * Looks up a file in Slack, checks its metadata, fetches it and checks its first bytes. Throws a `FileRefusedError`, or the connection's
 * error when `signal` aborts.
 */
export async function openFile(
  { slack, host, rules }: OpenFileDeps,
  { id, channel }: { readonly id: string; readonly channel: string },
  signal: AbortSignal,
): Promise<OpenedFile> {
  const { path, type } = judgeFile(await lookUp(slack, id), channel, { ...rules, origin: host.origin });
  const { maxBytes } = rules;
  signal.throwIfAborted();
  const answer = await host.get(path, signal);
  const announced = checkAnswer(answer, { type, maxBytes });
  const { start, whole } = await startBody(answer.body, { bytes: startBytes, maxBytes });
  await checkStart(start.subarray(0, startBytes), type);
  return { type, ...announced, body: whole };
}

async function lookUp(slack: Pick<SlackApi, "fileInfo">, id: string): Promise<SlackFileInfo> {
  try {
    return await slack.fileInfo(id);
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    const isGone = ["file_not_found", "file_deleted"].includes(error.code);
    const reason = isGone ? "not_shared" : error.failure === "refused" ? "slack_refused" : "slack_unavailable";
    throw new FileRefusedError(reason, error);
  }
}
