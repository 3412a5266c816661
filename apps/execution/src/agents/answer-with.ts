import { type AgentClient, followUpsKey } from "@crosszone/agent-bridge";
import { codeBlock } from "@crosszone/builtin-agent";
import type { AgentRecord } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import type { AgentAnswer, AnswerFile } from "./agent.ts";
import { type AgentFile, type AnswerParts, answerPartsOf, isLinkedFile } from "./answer-parts.ts";

/** Returns the last segment of a file's name without characters that are unsafe in a path or a message; `fallback` when nothing is left. */
export function fileName(name: string | undefined, fallback: string): string {
  const last = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  // oxlint-disable-next-line no-control-regex -- control characters are removed from names
  const safe = last.replaceAll(/[\x00-\x1f\x7f-\x9f<>:"|?*\u2028-\u202e\u2066-\u2069]+/g, "_").replace(/^\.+/, "");
  return safe.trim().slice(-200).toWellFormed() || fallback;
}

/** Largest total size of an answer's files, bytes, and their largest number (`task-succeeded.schema.json`). */
const mostFileBytesOfAnswer = 20_000_000;
const mostFilesOfAnswer = 20;

/** Returns the answer for an output, any JSON value: text, files, and the output itself when it fits. */
export function answerWith(output: unknown): AgentAnswer {
  const parts = answerPartsOf(output);
  const answer = answerOfParts({ text: responseText(output, parts), files: parts?.files ?? [] });
  const isStructured = typeof output === "object" && output !== null && answer.files === undefined;
  return {
    ...answer,
    follow_ups: followUpsOf(output),
    output_data: isStructured && fitInAnswer(answer.response_text, output) ? output : undefined,
  };
}

/** Returns the answer with this text and these files. Files beyond 20 MB or 20 in number are named in the text. */
export function answerOfParts({ text, files: all }: AnswerParts): AgentAnswer {
  const { files, leftOut } = fitFiles(all);
  const note = leftOut.length === 0 ? "" : `\n\nNot shown, too large: ${leftOut.join(", ")}.`;
  return { response_text: text + note, files: files.length > 0 ? files : undefined };
}

/** Returns the files that fit into an answer, with safe and unique names, and the names of the others. */
export function fitFiles(all: readonly AgentFile[]): { readonly files: AnswerFile[]; readonly leftOut: string[] } {
  const files: AnswerFile[] = [];
  const leftOut: string[] = [];
  let room = mostFileBytesOfAnswer;
  for (const { name, mediaType = "application/octet-stream", bytes } of all) {
    const called = uniqueName(fileName(name, `file-${files.length + leftOut.length + 1}`), files);
    if (bytes.byteLength > room || files.length === mostFilesOfAnswer) {
      leftOut.push(`${called} (${Math.ceil(bytes.byteLength / 1_000_000)} MB)`);
      continue;
    }
    room -= bytes.byteLength;
    files.push({ name: called, media_type: mediaType.slice(0, 255), bytes });
  }
  return { files, leftOut };
}

/** `chart.png`, then `chart-2.png`. */
function uniqueName(name: string, taken: readonly { readonly name: string }[]): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${stem}-${count}${extension}`;
    if (taken.every((file) => file.name !== candidate)) return candidate;
  }
}

/**
 * The largest answer, bytes of JSON. Verification accepts messages of 4 MiB, and a message contains more than the
 * answer.
 */
const mostBytes = 3_000_000;

/** The most bytes that JSON needs for a UTF-16 unit, as in `\\u0000`. */
const mostBytesOfUnit = 6;

function fitInAnswer(...values: readonly unknown[]): boolean {
  return values.reduce<number>((bytes, value) => bytes + jsonBytes(value), 0) <= mostBytes;
}

/** Shortens a text to an answer's size. `note` says that it was shortened; empty when it was not. */
function fitText(text: string): { readonly kept: string; readonly note: string } {
  if (text.length * mostBytesOfUnit <= mostBytes) return { kept: text, note: "" };
  let kept = text;
  for (let bytes = jsonBytes(kept); bytes > mostBytes; bytes = jsonBytes(kept))
    kept = kept.slice(0, Math.floor((kept.length * mostBytes * 0.99) / bytes));
  return {
    kept: kept.toWellFormed(),
    note: kept === text ? "" : "\n\n(The answer was longer and has been shortened.)",
  };
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/**
 * Returns the text of an agent's output for people: the agent's text, or else the whole output as JSON, but never a task
 * of the protocol. Never empty, and never too long for the zone link: a longer text is shortened and says so.
 */
export function responseText(output: unknown, parts: AnswerParts | undefined = answerPartsOf(output)): string {
  if (parts !== undefined && parts.text.trim() !== "") return shortened(parts.text);
  if (parts !== undefined && parts.files.length > 0)
    return parts.files.length === 1 ? "Here is a file." : "Here are the files.";
  const isSilent = isNothing(output) || typeof output === "string";
  if (isSilent || (isObject(output) && (isProtocol(output) || isEmpty(output)))) return nothing;
  const { kept, note } = fitText(JSON.stringify(output, null, 2));
  return codeBlock(kept, "json") + note;
}

/** Shortens a text to an answer's size, and says so. */
export function shortened(text: string): string {
  const { kept, note } = fitText(text);
  return kept + note;
}

const nothing = "The agent finished without an answer.";

/** Whether the output is the agent's whole task or message, because the bridge found no answer, or has artifacts or a message that say nothing. */
const isProtocol = (output: JsonObject): boolean =>
  ownMember(output["status"], "state") !== undefined ||
  Object.hasOwn(output, "messageId") ||
  [...ownList(output, "artifacts"), output["message"]].some((holder) => Array.isArray(ownMember(holder, "parts")));

/** Words that answered an earlier message are not an answer. */
function isEmpty(output: JsonObject): boolean {
  const { response, message, response_source: source, context_id: _context, ...others } = output;
  return Object.values(source === "history" ? others : { ...others, response, message }).every(isNothing);
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** The most follow-ups of an answer, and their length in characters (`task-succeeded.schema.json`). */
const mostFollowUps = 4;
const longestFollowUp = 75;

/** Returns the follow-ups in an output of the bridge; undefined without any. Longer ones and those beyond the fourth are left out. */
function followUpsOf(output: unknown): string[] | undefined {
  const holders = [...ownList(output, "artifacts"), ownMember(output, "message"), output];
  const given = holders.flatMap((holder) => ownList(ownMember(holder, "metadata"), followUpsKey));
  const texts = given.flatMap((text) =>
    typeof text === "string" ? text.replace(/\s+/g, " ").trim().toWellFormed() : [],
  );
  const fitting = [...new Set(texts)].filter((text) => text !== "" && text.length <= longestFollowUp);
  return fitting.length > 0 ? fitting.slice(0, mostFollowUps) : undefined;
}

/**
 * Fetches a file from an agent with the agent's credentials. Rejects when it can't be fetched or is larger than
 * `maxBytes`.
 */
export type FetchAgentFile = (request: {
  readonly agent: AgentRecord;
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}) => Promise<Uint8Array>;

/**
 * Creates a function that fetches files with the zone's client: only from allowed addresses, without following
 * redirects. `timeoutMs` is per file.
 */
export function createFetchAgentFile(client: AgentClient, timeoutMs: number): FetchAgentFile {
  return async (request) => {
    const { status, body } = await client.send({ ...request, accept: "*/*", timeoutMs });
    if (status !== 200) throw new Error(`the agent answered with HTTP ${status}`);
    return body;
  };
}

/** How the zone fetches files that agents link to. */
export interface AgentFiles {
  readonly fetchFile: FetchAgentFile;
  /** Largest file, bytes. */
  readonly maxBytes: number;
}

type LinkedFilesDeps = AgentFiles & { readonly agent: AgentRecord; readonly signal: AbortSignal };

/**
 * Returns an agent's output with the bytes of the files that it links to at its own origin. A file at another origin, a
 * file that can't be fetched and a file that is too large stay links. Without `deps`, all files stay links. Rejects
 * only with the signal's reason.
 */
export async function fetchLinkedFiles(output: unknown, deps: LinkedFilesDeps | undefined): Promise<unknown> {
  if (deps === undefined || !isObject(output)) return output;
  const { agent, fetchFile, maxBytes, signal } = deps;
  const origin = URL.parse(agent.url)?.origin;
  let [room, left] = [mostFileBytesOfAnswer, mostFilesOfAnswer];
  const { artifacts, message } = output;
  const fetchedAll = Array.isArray(artifacts) ? await inTurn(artifacts, withParts) : artifacts;
  return { ...output, artifacts: fetchedAll, message: await withParts(message) };

  async function withParts(holder: unknown): Promise<unknown> {
    if (!isObject(holder) || !Array.isArray(holder["parts"])) return holder;
    return { ...holder, parts: await inTurn(holder["parts"], fetched) };
  }

  async function fetched(part: unknown): Promise<unknown> {
    if (!isLinkedFile(part)) return part;
    const { uri } = part.file;
    if (origin === undefined || URL.parse(uri)?.origin !== origin || left === 0 || room === 0) return part;
    left -= 1;
    try {
      const bytes = await fetchFile({ agent, url: uri, maxBytes: Math.min(maxBytes, room), signal });
      room -= bytes.byteLength;
      return { ...part, file: { ...part.file, bytes: Buffer.from(bytes).toString("base64") } };
    } catch {
      signal.throwIfAborted();
      return part;
    }
  }
}

/** Changes the items one after another, so that only one file is fetched at a time. */
async function inTurn(items: readonly unknown[], change: (item: unknown) => Promise<unknown>): Promise<unknown[]> {
  const changed: unknown[] = [];
  for (const item of items) changed.push(await change(item));
  return changed;
}
