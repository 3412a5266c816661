import { fileTypeFromBuffer } from "file-type";
import { isTextType, mediaTypeOf } from "./read-file.ts";
import { FileRefusedError } from "../file-refusals.ts";

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
