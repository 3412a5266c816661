import { z } from "zod";
import { unescape } from "../notation.ts";
import type { SlackFile, SlackFileInfo } from "../slack-api.ts";
import type { FileRefusal } from "../file-refusals.ts";
import { SlackCallError } from "../slack-call-error.ts";

const text = z.string().optional().catch(undefined);
const ids = z.array(z.string()).catch([]);
const shares = z.record(z.string(), z.unknown()).catch({});

const preview = z
  .object({ content: text, has_more: z.boolean().catch(true) })
  .optional()
  .catch(undefined);

/** Members of a file in messages and of `files.info`. https://docs.slack.dev/reference/objects/file-object */
const fileObject = z.object({
  id: text,
  name: text,
  title: text,
  mimetype: text,
  size: z.int().nonnegative().optional().catch(undefined),
  mode: text,
  is_external: z.boolean().catch(false),
  file_access: text,
  user: text,
  url_private_download: text,
  url_private: text,
  subject: text,
  plain_text: text,
  from: z.array(z.object({ name: text, address: text })).catch([]),
  transcription: z.object({ status: text, preview }).optional().catch(undefined),
  vtt: text,
  channels: ids,
  groups: ids,
  ims: ids,
  shares: z.object({ public: shares, private: shares }).catch({ public: {}, private: {} }),
});

type FileObject = Readonly<z.output<typeof fileObject>>;

/** Most characters of an e-mail that a message carries; a longer one is read when an agent needs it. */
const mostCarried = 4_000;

/** Reads the `files` of a message, without their URLs and without invalid entries. */
export function readFiles(files: unknown): SlackFile[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((raw: unknown) => {
    const { data } = fileObject.safeParse(raw);
    return data === undefined ? [] : asCarried(describe(data));
  });
}

/** Returns a file without a text that is too long to travel with a message. */
export function asCarried(file: SlackFile): SlackFile {
  return file.text === undefined || file.text.length <= mostCarried ? file : { ...file, text: undefined };
}

/** Reads the `file` of `files.info`. Slack lists in two ways where a file is shared, and sometimes omits one. */
export function readFileInfo(raw: unknown): SlackFileInfo {
  const { data } = fileObject.safeParse(raw);
  if (data === undefined) throw new SlackCallError("files.info", { failure: "unavailable", code: "no_file" });
  const { channels, groups, ims } = data;
  const shared = [...Object.keys(data.shares.public), ...Object.keys(data.shares.private)];
  const url = data.url_private_download || data.url_private || undefined;
  return {
    ...describe(data),
    is_stub: false,
    url,
    shared_in: [...channels, ...groups, ...ims, ...shared],
    transcript: isTranscribed(data)
      ? { isPending: data.transcription?.status === "processing", url: data.vtt }
      : undefined,
  };
}

/** Describes what is read of a file: its bytes, or the text of an e-mail or clip. */
function describe(file: FileObject): SlackFile {
  const { id, name = file.title, mimetype: mime_type, size } = file;
  const user = file.user || undefined;
  const refusal = refusalOf(file);
  if (refusal !== undefined) return { id, name, mime_type, size, user, refusal };
  if (file.file_access === "check_file_info") return { id, name, user, is_stub: true };
  if (file.plain_text !== undefined) {
    const [{ name: sender = "", address = "" } = {}] = file.from;
    const head = `Subject: ${file.subject ?? name ?? ""}\nFrom: ${sender} <${address}>`;
    const author = sender || address || undefined;
    return { id, name, ...asText(`${head}\n\n${file.plain_text}`), others: true, author };
  }
  if (!isTranscribed(file)) return { id, name, mime_type, size, user };
  const { status, preview: start } = file.transcription ?? {};
  const whole = status === "complete" && start?.has_more === false ? start.content : undefined;
  return { id, name: `${name ?? "clip"} (transcript)`, ...asText(whole), user };
}

function asText(content: string | undefined) {
  const size = content === undefined ? undefined : Buffer.byteLength(content);
  return { mime_type: "text/plain", size, text: content };
}

/** Slack transcribes a clip after it was sent. */
const isTranscribed = ({ transcription }: FileObject): boolean =>
  transcription?.status === "complete" || transcription?.status === "processing";

/** Files without contents for the app, by `mode`. */
const withoutContents: ReadonlyMap<string, FileRefusal> = new Map([
  ["external", "external"],
  ["tombstone", "deleted"],
  ["hidden_by_limit", "hidden"],
  ["list", "list"],
  ["canvas", "canvas"],
  ["quip", "canvas"],
]);

const refusalOf = ({ mode = "", is_external: isExternal }: FileObject): FileRefusal | undefined =>
  isExternal ? "external" : withoutContents.get(mode);

/** Returns the words of a transcript, a line per cue, with the speakers. https://www.w3.org/TR/webvtt1/#file-structure */
export function textOfVtt(vtt: string): string {
  const cues = vtt.replaceAll(/\r\n?/g, "\n").split(/\n{2,}/);
  const spoken = cues.flatMap((cue) => {
    const lines = cue.split("\n");
    const timing = lines.findIndex((line) => line.includes("-->"));
    if (timing < 0) return [];
    const words = lines
      .slice(timing + 1)
      .join(" ")
      .replace(/^- /, "");
    return unescape(words.replaceAll(/<v[^\s<>]*\s([^<>]*)>/g, "$1: ").replaceAll(/<[^<>]*>/g, "")).trim();
  });
  return spoken.join("\n");
}

/**
 * Returns a media type without its parameters, in lower case; empty if there is none. https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
export function mediaTypeOf(header: string | string[] | undefined): string {
  const [first = ""] = (typeof header === "string" ? header : "").split(";", 1);
  return first.trim().toLowerCase();
}

/** Returns true if a media type is a form of text, which has no signature. */
export function isTextType(type: string): boolean {
  return type.startsWith("text/") || type === "application/json" || type.endsWith("+json");
}

export interface FileRules {
  /** Allowed media types: `text/csv`, or `text/*` for a whole kind. */
  readonly types: readonly string[];
  /** Bytes. */
  readonly maxBytes: number;
}

/** Returns true if a list such as `text/csv`, `image/*` includes a media type. */
export function isAllowedType(type: string, types: readonly string[]): boolean {
  return types.some((allowed) => allowed === type || allowed === `${type.split("/", 1)[0]}/*`);
}
