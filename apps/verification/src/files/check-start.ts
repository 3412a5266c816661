import { fileTypeFromBuffer } from "file-type";
import { FileRefusedError } from "./file-refusal.ts";
import { isTextType } from "./media-type.ts";

/** How much of a file is looked at to tell what it is, bytes: as much as `file-type` asks for. */
export const startBytes = 4_100;

/**
 * How a page begins, as browsers look for it. A comment ends at its first `-->`, so that there is one way only to read many of them.
 * https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
const htmlStart = /^\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html|head|body|script|iframe|title)[\s>]/i;

/**
 * Looks at the first bytes of a file: they have to be what its type says. Text has no signature; it has no zero byte either, and it
 * is no page: the sign-in page is never passed on, whatever it is called. Throws a `FileRefusedError`.
 */
export async function checkStart(start: Uint8Array, type: string): Promise<void> {
  // Takes a byte order mark away.
  const text = new TextDecoder().decode(start);
  if (htmlStart.test(text)) throw new FileRefusedError("slack_signed_out");
  const found = await fileTypeFromBuffer(start);
  const isRight = isTextType(type)
    ? (found === undefined || isTextType(found.mime) || found.mime === "application/xml") && !start.includes(0)
    : found?.mime === type;
  if (!isRight) throw new FileRefusedError("slack_wrong_type");
}
