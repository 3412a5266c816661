import { isObject, ownList, ownMember, type JsonObject } from "@crosszone/service-kit/json";

/** The content of an agent's output for people: text of its artifacts, or of its message, and files. */
export interface AnswerParts {
  /** Empty when there is no text. */
  readonly text: string;
  readonly files: readonly AgentFile[];
}

/** A file that an agent created. */
export interface AgentFile {
  /** The agent's name for it. */
  readonly name: string | undefined;
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/** Returns whether a part is a file with an address instead of bytes. */
export function isLinkedFile(part: unknown): boolean {
  const file = isObject(part) ? part["file"] : undefined;
  return isObject(file) && typeof file["uri"] === "string" && file["bytes"] === undefined;
}

const textIn = (value: JsonObject, member: string): string | undefined =>
  typeof value[member] === "string" ? value[member] : undefined;

/**
 * Returns the answer in an output of the bridge (`{artifacts, text, response, message}`). Artifacts are the answer:
 * their text parts in order, those of one artifact joined without a separator. Without artifacts it is the agent's last
 * message, unless that is older than the question. Undefined when the output has neither: another bridge may return any JSON value.
 */
export function answerPartsOf(output: unknown): AnswerParts | undefined {
  if (!isObject(output)) return undefined;
  const artifacts = ownList(output, "artifacts").filter(isObject);
  if (artifacts.length > 0) return joined(artifacts.map((artifact) => readParts(ownList(artifact, "parts"))));
  const isHistory = output["response_source"] === "history";
  const words = ["text", ...(isHistory ? [] : ["response"])].map((member) => textIn(output, member) ?? "");
  const text = words.find((word) => word.trim() !== "");
  const { files } = readParts(isHistory ? [] : ownList(output["message"], "parts"));
  return text === undefined && files.length === 0 ? undefined : { text: text ?? "", files };
}

/**
 * Returns what stands in the artifacts and in the message of an agent that asks something: texts, data and files. An artifact that the message
 * repeats is left out.
 */
export function askedPartsOf(output: unknown): AnswerParts & { readonly data: readonly unknown[] } {
  const isHistory = ownMember(output, "response_source") === "history";
  const response = isHistory ? undefined : ownMember(output, "response");
  const said = isHistory ? [] : ownList(ownMember(output, "message"), "parts");
  const spoken = said.length === 0 && response !== undefined ? [{ kind: "text", text: response }] : said;
  const whole = readParts(spoken).text;
  const isNew = (parts: readonly unknown[]): boolean => {
    const { text } = readParts(parts);
    return text === "" || text.split(/\n{2,}/).some((paragraph) => !whole.includes(paragraph.trim()));
  };
  const artifacts = ownList(output, "artifacts").map((artifact) => ownList(artifact, "parts"));
  const all = [...artifacts.filter(isNew), spoken];
  const data = all.flat().flatMap((part) => ownMember(part, "data") ?? []);
  const read = all.map((parts) => readParts(parts.filter((part) => ownMember(part, "data") === undefined)));
  return { text: joinTexts(read.map(({ text }) => text)), files: read.flatMap(({ files }) => files), data };
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

/** Reads the parts of one artifact or message, in order. */
export interface PartsReader extends AnswerParts {
  readonly add: (part: unknown) => void;
}

function readParts(parts: readonly unknown[]): AnswerParts {
  const reader = createPartsReader();
  for (const part of parts) reader.add(part);
  return reader;
}

/** Creates a reader. Data becomes a file, with its beginning in the text; a file with an address becomes a link. */
export function createPartsReader(): PartsReader {
  let text = "";
  const files: AgentFile[] = [];
  const paragraph = (words: string): void => {
    text = text.trim() === "" ? words : `${text.trimEnd()}\n\n${words}`;
  };
  function add(part: unknown): void {
    if (!isObject(part)) return;
    const kind = part["kind"] ?? part["type"] ?? "text";
    const file = part["file"];
    if (kind === "text") text += textIn(part, "text") ?? "";
    else if (kind === "data") {
      const made = fileOfData(part["data"], textIn(part, "filename"));
      files.push(made.file);
      paragraph(made.preview);
    } else if (isObject(file)) {
      const name = textIn(file, "name");
      const bytes = textIn(file, "bytes");
      const uri = textIn(file, "uri");
      if (bytes !== undefined)
        files.push({ name, mediaType: textIn(file, "mimeType"), bytes: Buffer.from(bytes, "base64") });
      else if (uri !== undefined) paragraph(`${name ?? "File"}: ${uri}`);
    }
  }
  return {
    get text() {
      return text;
    },
    files,
    add,
  };
}

/** The most data shown in the answer, UTF-16 units. */
const mostPreview = 600;

/** Converts data to a file: CSV for rows of plain values, otherwise JSON. */
function fileOfData(data: unknown, name: string | undefined): { readonly file: AgentFile; readonly preview: string } {
  const csv = csvOf(data);
  const [content, mediaType, extension, fence] =
    csv === undefined
      ? [JSON.stringify(data, null, 2) ?? "null", "application/json", "json", "json"]
      : [csv, "text/csv", "csv", ""];
  const shown = content.length > mostPreview ? `${content.slice(0, mostPreview).toWellFormed()}\n…` : content;
  return {
    file: { name: name ?? `data.${extension}`, mediaType, bytes: Buffer.from(content) },
    preview: `\`\`\`${fence}\n${shown.replaceAll("```", "'''")}\n\`\`\``,
  };
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
