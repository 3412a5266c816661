import { fileTypeFromBuffer } from "file-type";

/**
 * Why a file is not served: the HTTP status, and a message that execution may show to the requester. `slack_…` reasons are faults of
 * Slack's file host.
 */
export const fileRefusals = {
  method: { status: 405, message: "Use GET to read files." },
  unauthorized: { status: 401, message: "The files of this message can no longer be read." },
  unknown_file: { status: 404, message: "It is not a file of the message or its thread." },
  not_shared: { status: 404, message: "It is not, or no longer, shared in this conversation." },
  external: { status: 403, message: "It is stored outside Slack, where I can't read it." },
  deleted: { status: 404, message: "It was deleted." },
  hidden: { status: 403, message: "Slack hides it, because the workspace has reached a limit of its plan." },
  canvas: { status: 415, message: "It is a canvas, which I can't read." },
  list: { status: 415, message: "It is a list, which I can't read." },
  not_transcribed: { status: 503, message: "Slack has not transcribed it yet. Please try again in a moment." },
  no_contents: { status: 404, message: "Slack has no contents of it." },
  type_not_allowed: { status: 415, message: "Files of this type are not allowed here." },
  too_large: { status: 413, message: "It is larger than the limit for files here." },
  too_many: { status: 429, message: "The limit of file reads for one question is reached." },
  busy: { status: 503, message: "Too many files are being read right now. Please try again in a moment." },
  slack_unavailable: { status: 502, message: "Slack did not return it. Please try again in a moment." },
  slack_refused: { status: 502, message: "Slack refused access to it. Please tell the people who run this service." },
  slack_signed_out: {
    status: 502,
    message:
      "Slack asked me to sign in. Please tell the people who run this service that the app may lack `files:read`.",
  },
  slack_redirected: { status: 502, message: "Slack redirected me to an address that is not allowed." },
  slack_elsewhere: { status: 502, message: "It is not on Slack's file host." },
  slack_wrong_type: { status: 502, message: "Its contents do not match its type." },
  timeout: { status: 504, message: "Reading it from Slack took too long." },
  internal: { status: 500, message: "Something went wrong while I was reading it." },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type FileRefusal = keyof typeof fileRefusals;

/** Thrown for a file that is not served. `cause` is for the log. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** A response of Slack's file host, with its body unread. */
export interface HostAnswer {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read it to the end, or abort the request's signal. Throws as `get` does. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Bytes at the start of a file that are checked, as many as `file-type` needs. */
export const startBytes = 4_100;

/**
 * Matches the start of an HTML page, as browsers detect it. A comment ends at its first `-->`, which keeps the match unambiguous and fast.
 * https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
const htmlStart = /^\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html|head|body|script|iframe|title)[\s>]/i;

/**
 * Checks that the first bytes of a file match its type. Text has no signature, but it must contain no zero byte and must not be HTML:
 * Slack's sign-in page is never served, whatever its declared type. Throws a `FileRefusedError`.
 */
export async function checkStart(start: Uint8Array, type: string): Promise<void> {
  // The decoder strips a byte order mark.
  const text = new TextDecoder().decode(start);
  if (htmlStart.test(text)) throw new FileRefusedError("slack_signed_out");
  const found = await fileTypeFromBuffer(start);
  const isRight = isTextType(type)
    ? (found === undefined || isTextType(found.mime) || found.mime === "application/xml") && !start.includes(0)
    : found?.mime === type;
  if (!isRight) throw new FileRefusedError("slack_wrong_type");
}

/** Types that a host uses for unknown content, or for content that clients must not interpret. */
const neutralTypes: ReadonlySet<string> = new Set(["application/octet-stream", "binary/octet-stream"]);

/**
 * Checks the file host's response headers before its body is read. Returns the announced length, if any. Throws a `FileRefusedError`. Slack
 * responds with a sign-in page and status 200 when the app cannot read the file.
 */
export function checkAnswer(
  { status, headers }: HostAnswer,
  { type, maxBytes }: { readonly type: string; readonly maxBytes: number },
): { readonly length?: number } {
  if (status >= 300 && status < 400) throw new FileRefusedError("slack_redirected");
  if (status === 404 || status === 410) throw new FileRefusedError("no_contents");
  if (status === 429 || status >= 500) throw new FileRefusedError("slack_unavailable");
  if (status !== 200) throw new FileRefusedError("slack_refused");
  const answered = mediaTypeOf(headers["content-type"]);
  if (answered === "text/html") throw new FileRefusedError("slack_signed_out");
  const encoding = headers["content-encoding"] ?? "identity";
  const fits = answered === type || neutralTypes.has(answered) || (isTextType(type) && isTextType(answered));
  if (!fits || encoding !== "identity") throw new FileRefusedError("slack_wrong_type");
  const announced = headers["content-length"];
  if (announced === undefined) return {};
  if (Number(announced) > maxBytes) throw new FileRefusedError("too_large");
  return { length: Number(announced) };
}

/**
 * Returns a media type without its parameters, in lower case; empty if there is none. https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
export function mediaTypeOf(text: string | string[] | undefined): string {
  const [first = ""] = (typeof text === "string" ? text : "").split(";", 1);
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
