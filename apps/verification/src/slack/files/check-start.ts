import { fileTypeFromBuffer } from "file-type";
import { FileRefusedError } from "./file-refusal.ts";
import { isTextType } from "./media-type.ts";

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
