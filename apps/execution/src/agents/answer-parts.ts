import { unescape } from "node:querystring";
import { kindOfPart, wordsInData } from "@crosszone/agent-bridge";
import { codeBlock } from "@crosszone/builtin-agent";
import { isObject, ownList, ownMember, type JsonObject } from "@crosszone/service-kit/json";
import { withoutThoughts } from "@crosszone/service-kit/text";

/** The content of an agent's output for people: text of its artifacts, or of its message, and files. */
export interface AnswerParts {
  /** Empty when there is no text. */
  readonly text: string;
  readonly files: readonly AgentFile[];
}

export interface AgentFile {
  /** The agent's name for it. */
  readonly name: string | undefined;
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/** Returns whether a part is a file with an address instead of bytes. */
export function isLinkedFile(part: unknown): part is { readonly file: JsonObject & { readonly uri: string } } {
  const [bytes, uri] = ["bytes", "uri"].map((member) => textIn(ownMember(part, "file"), member));
  return bytes === undefined && uri !== undefined && bytesIn(uri) === undefined;
}

function textIn(value: unknown, member: string): string | undefined {
  const text = ownMember(value, member);
  return typeof text === "string" ? text : undefined;
}

/**
 * Returns the answer in an output of the bridge (`{artifacts, text, response, message}`). Artifacts are the answer: their parts in order, texts of
 * one artifact joined without a separator. If they say nothing, it is the agent's last message, unless that is older than the question. Undefined
 * when neither says anything: another bridge may return any JSON value.
 */
export function answerPartsOf(output: unknown): AnswerParts | undefined {
  const words = typeof output === "string" ? output : textIn(output, "text");
  const text = { text: withoutThoughts(words ?? ""), files: [] };
  const all = [joined(ownList(output, "artifacts").map(readParts)), text, joined(saidIn(output).map(readParts))];
  return all.find((parts) => parts.text.trim() !== "" || parts.files.length > 0);
}

/** Returns the agent's last message, which an output may have only as text; nothing when it is older than the question. */
function saidIn(output: unknown): readonly unknown[] {
  const [message, response] = [ownMember(output, "message"), textIn(output, "response")];
  if (ownMember(output, "response_source") === "history") return [];
  if (ownList(message, "parts").length > 0) return [message];
  return response === undefined ? [] : [{ parts: [{ kind: "text", text: response }] }];
}

/** The most pieces of an answer that are looked for inside of others: each takes a search of the whole text. */
const mostSought = 200;

const paragraphsOf = (text: string): string[] => text.split(/\n{2,}/).map((one) => one.trim());

/**
 * Reads what an agent asks, from its artifacts and its message: their text, files and data. Without a text, the words in the data are the text.
 * `shown` is the text with the data that it lacks. An artifact that the message repeats is left out.
 */
export function askedPartsOf(output: unknown) {
  const said = saidIn(output);
  const whole = joined(said.map(readParts)).text;
  const known = new Set(paragraphsOf(whole));
  let sought = 0;
  const isInside = (one: string, text: string): boolean =>
    one === "" || ((sought += 1) <= mostSought && text.includes(one));
  const isNew = (artifact: unknown): boolean => {
    const { text } = readParts(artifact);
    return text === "" || paragraphsOf(text).some((one) => !known.has(one) && !isInside(one, whole));
  };
  const all = [...ownList(output, "artifacts").filter(isNew), ...said].map((holder) => {
    const parts = ownList(holder, "parts");
    const data = parts.map((part) => ownMember(part, "data") ?? undefined).filter((one) => one !== undefined);
    const read = readParts({
      parts: parts.filter((part) => ownMember(part, "data") === undefined),
      name: ownMember(holder, "name"),
    });
    const text = read.text.trim() || joinTexts(data.map((one) => wordsInData(one).words ?? ""));
    const blocks = data.flatMap((one) => {
      const { words = "", rest } = wordsInData(one);
      const left = isInside(words, text) ? rest : one;
      return left === undefined ? [] : codeBlock(JSON.stringify(left, null, 2), "json");
    });
    // The question is the end. It may be in the data of an artifact.
    const isAsking = said.includes(holder) || read.text.trim() === "";
    const shown = joinTexts(isAsking ? [...blocks, text] : [text, ...blocks]);
    return { text, files: read.files, data, shown };
  });
  return { ...joined(all), data: all.flatMap(({ data }) => data), shown: joinTexts(all.map(({ shown }) => shown)) };
}

function joined(all: readonly AnswerParts[]): AnswerParts {
  return { text: joinTexts(all.map(({ text }) => text)), files: all.flatMap(({ files }) => files) };
}

/** Joins the texts of artifacts to the text of the answer. */
export function joinTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

/** A file without a name has its artifact's. */
function readParts(holder: unknown): AnswerParts {
  const reader = createPartsReader();
  for (const part of ownList(holder, "parts")) reader.add(part);
  const files = reader.files.map(({ name, ...file }) => {
    const [, extension] = /\/([a-z]{3,4})$/.exec(file.mediaType ?? "") ?? [];
    const called = textIn(holder, "name") ?? (extension === "json" || extension === "csv" ? "data" : undefined);
    const hasOwn = called === undefined || extension === undefined || /\.\w{1,5}$/.test(called);
    return { ...file, name: name ?? (hasOwn ? called : `${called}.${extension}`) };
  });
  return { text: reader.text, files };
}

/**
 * Creates a reader of the parts of one artifact or message. Data becomes a file, with its beginning in the text; a file with an address becomes a
 * link. `beginning` is the text that stays when other parts follow.
 */
export function createPartsReader() {
  const paragraphs: string[] = [];
  let [last, isOver, hasWords] = ["", false, false];
  const files: AgentFile[] = [];
  const write = (words: string, isParagraph: boolean): void => {
    const isNew = (isParagraph || isOver) && hasWords;
    const ended = isNew ? last.trimEnd() : "";
    if (ended !== "") paragraphs.push(ended);
    last = isNew || isParagraph ? words : last + words;
    hasWords ||= words.trim() !== "";
    isOver = isParagraph;
  };
  const textNow = (): string => [...paragraphs, last].join("\n\n");
  function add(part: unknown): void {
    const kind = kindOfPart(part);
    if (kind === "text") write(textIn(part, "text") ?? "", false);
    else if (kind === "data") {
      const { content, mediaType, preview } = contentOf(ownMember(part, "data"));
      files.push({ name: textIn(part, "filename"), mediaType, bytes: Buffer.from(content) });
      write(preview, true);
    } else if (kind === "file") {
      const file = ownMember(part, "file");
      const [name, mediaType, uri = ""] = ["name", "mimeType", "uri"].map((member) => textIn(file, member));
      const bytes = textIn(file, "bytes");
      const inline = bytes === undefined ? bytesIn(uri) : { bytes: Buffer.from(bytes, "base64") };
      if (inline !== undefined) files.push({ mediaType, ...inline, name });
      else if (uri !== "") write(`${name ?? "File"}: ${uri}`, true);
    }
  }
  return {
    get text() {
      return withoutThoughts(textNow());
    },
    get beginning() {
      return withoutThoughts(textNow(), true);
    },
    files,
    add,
  };
}

/** Returns the content of a `data:` URI; undefined for any other address. https://www.rfc-editor.org/rfc/rfc2397 */
function bytesIn(uri: string) {
  const [head = "", about] = /^data:([^,]*),/i.exec(uri) ?? [];
  if (about === undefined) return undefined;
  const bytes = Buffer.from(unescape(uri.slice(head.length)), /;\s*base64$/i.test(about) ? "base64" : "utf8");
  return { mediaType: about.split(";")[0] || "text/plain", bytes };
}

/** The most data shown in the answer, UTF-16 units. */
const mostPreview = 600;

/** Returns data as CSV, if it is rows of plain values, or as JSON, and its beginning. */
function contentOf(data: unknown): { readonly content: string; readonly mediaType: string; readonly preview: string } {
  const csv = csvOf(data);
  const [language, mediaType] = csv === undefined ? ["json", "application/json"] : ["", "text/csv"];
  const content = csv ?? JSON.stringify(data, null, 2) ?? "null";
  const shown = content.length > mostPreview ? `${content.slice(0, mostPreview).toWellFormed()}\n…` : content;
  return { content, mediaType, preview: codeBlock(shown, language) };
}

/** Rows with the same members and plain values as CSV; undefined for other data. https://www.rfc-editor.org/rfc/rfc4180 */
function csvOf(data: unknown): string | undefined {
  if (!Array.isArray(data) || data.length === 0 || !data.every(isObject)) return undefined;
  const rows = data as readonly JsonObject[];
  const columns = Object.keys(rows[0] ?? {});
  const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";
  const isRow = (row: JsonObject): boolean =>
    Object.keys(row).length === columns.length &&
    columns.every((name) => Object.hasOwn(row, name) && isPlain(row[name]));
  if (columns.length === 0 || !rows.every(isRow)) return undefined;
  const cell = (value: unknown): string => {
    const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
    .map((row) => row.map(cell).join(","))
    .join("\n");
}
