import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { openConnections } from "@crosszone/service-kit/outgoing";
import type { SlackApi, SlackFileInfo } from "../slack-api.ts";
import { FileRefusedError } from "../file-refusals.ts";
import { checkAnswer, checkStart, type HostAnswer, startBytes } from "./check-file.ts";
import { SlackCallError } from "../slack-call-error.ts";
import type { BotToken } from "../token-clients.ts";
import { type FileRules, isAllowedType, mediaTypeOf, textOfVtt } from "./read-file.ts";

/** Slack's file host. */
export interface FileHost {
  /** Scheme, host and port. The bot's token is sent only there. */
  readonly origin: string;
  /**
   * Requests a path of this origin with the bot's token. Follows no redirects. Rejects with a `FileRefusedError` when the connection fails
   * or the signal aborts.
   */
  readonly get: (path: string, signal: AbortSignal) => Promise<HostAnswer>;
}

/**
 * Returns a function that makes Slack's file host for one workspace's token. All file hosts share a pool of `connections` that connects only to
 * `origin`, `https://files.slack.com` or that of the local Slack, whatever a URL says. Each connection is used once, so bytes after a wrong content length reach no other response.
 * https://docs.slack.dev/reference/objects/file-object#authentication
 */
export function createSlackFileHost(origin: string, connections: number): (token: BotToken["current"]) => FileHost {
  // The whole download has its own timeout.
  const pool = openConnections({ connections, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5_000 } }, origin);
  return (token) => ({
    origin: new URL(origin).origin,
    get: async (path, signal) => {
      try {
        const headers = { authorization: `Bearer ${await token()}`, "accept-encoding": "identity" };
        const answer = await pool.request({ origin, method: "GET", path, headers, reset: true, signal });
        return { status: answer.statusCode, headers: answer.headers, body: refusing(answer.body) };
      } catch (error) {
        throw new FileRefusedError("slack_unavailable", error);
      }
    },
  });
}

async function* refusing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw new FileRefusedError("slack_unavailable", error);
  }
}

/**
 * Reads the first bytes of a body. `whole` is the whole body, to be read once. Reading more than `maxBytes` bytes throws a
 * `FileRefusedError`, whatever length was announced.
 */
async function startBody(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const rest = capped(body, maxBytes);
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < startBytes;) {
    const { done, value } = await rest.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  const start = Buffer.concat(chunks);
  return { start: start.subarray(0, startBytes), whole: joined(start, rest) };
}

async function* capped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new FileRefusedError("too_large");
    yield chunk;
  }
}

async function* joined(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield start;
  yield* rest;
}

/** A file that can be served. */
export interface OpenedFile {
  /** Media type, as Slack declares it. */
  readonly type: string;
  /** Size in bytes, if Slack's host announced it. */
  readonly length?: number;
  /** Throws a `FileRefusedError` when the body exceeds the limit. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Looks up a file in Slack, checks its metadata, fetches it and checks its first bytes. An e-mail is its text, a clip its transcript. Throws a
 * `FileRefusedError`, or the connection's error when `signal` aborts.
 */
export async function openSlackFile(
  { slack, fileHost }: { readonly slack: SlackApi; readonly fileHost: FileHost },
  rules: FileRules,
  { id, channel, signal }: { readonly id: string; readonly channel: string; readonly signal: AbortSignal },
): Promise<OpenedFile> {
  const file = await lookUpTranscribed(slack, id, signal);
  const type = judgeFile(file, rules, channel);
  if (file.text !== undefined) return textFile(file.text, rules);
  const { transcript } = file;
  const path = pathOf(transcript === undefined ? file.url : transcript.url, fileHost.origin);
  signal.throwIfAborted();
  const answer = await fileHost.get(path, signal);
  const { maxBytes } = rules;
  const announced = checkAnswer(answer, { type, maxBytes });
  const { start, whole } = await startBody(answer.body, maxBytes);
  await checkStart(start, type);
  if (transcript === undefined) return { type, ...announced, body: whole };
  return textFile(textOfVtt(await text(whole)), rules);
}

function textFile(content: string, { maxBytes }: FileRules): OpenedFile {
  const bytes = Buffer.from(content);
  if (bytes.length > maxBytes) throw new FileRefusedError("too_large");
  return { type: "text/plain", length: bytes.length, body: Readable.from([bytes]) };
}

/** Decides from Slack's metadata whether a file can be read in a channel. Returns its type; throws a `FileRefusedError`. */
function judgeFile(file: SlackFileInfo, { types, maxBytes }: FileRules, channel: string): string {
  if (!file.shared_in.includes(channel)) throw new FileRefusedError("not_shared");
  if (file.refusal !== undefined) throw new FileRefusedError(file.refusal);
  if (file.transcript?.isPending === true) throw new FileRefusedError("not_transcribed");
  const type = mediaTypeOf(file.mime_type);
  if (!isAllowedType(type, types)) throw new FileRefusedError("type_not_allowed");
  if (file.size !== undefined && file.size > maxBytes) throw new FileRefusedError("too_large");
  return type;
}

/**
 * Returns the path of a file on Slack's file host. The URL is untrusted: the person who added a remote file may have chosen it, so files are
 * fetched only from `origin`. Throws a `FileRefusedError`.
 */
function pathOf(address: string | undefined, origin: string): string {
  if (address === undefined) throw new FileRefusedError("no_contents");
  const url = URL.parse(address);
  if (url?.origin !== origin || url.username !== "" || url.password !== "")
    throw new FileRefusedError("slack_elsewhere");
  return `${url.pathname}${url.search}`;
}

/** A clip is transcribed seconds after it was sent. How often Slack is asked for the transcript, and the pauses in between, milliseconds. */
const transcriptLooks = 10;
const transcriptPauseMs = 1_000;

async function lookUpTranscribed(slack: SlackApi, id: string, signal: AbortSignal): Promise<SlackFileInfo> {
  let file = await lookUp(slack, id);
  for (let look = 1; file.transcript?.isPending === true && look < transcriptLooks; look += 1) {
    await setTimeout(transcriptPauseMs, undefined, { signal });
    file = await lookUp(slack, id);
  }
  return file;
}

async function lookUp(slack: SlackApi, id: string): Promise<SlackFileInfo> {
  try {
    return await slack.fileInfo(id);
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    const isGone = ["file_not_found", "file_deleted"].includes(error.code);
    const reason = isGone ? "not_shared" : error.failure === "refused" ? "slack_refused" : "slack_unavailable";
    throw new FileRefusedError(reason, error);
  }
}
