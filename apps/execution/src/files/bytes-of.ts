import { readAtMost } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";
import { UnreadableFileError } from "./unreadable-file-error.ts";

/** The most bytes read from a refusal. */
const refusalBytes = 4_096;

/**
 * Returns the bytes of verification's answer, at most `maxBytes`. Throws an `UnreadableFileError` with verification's
 * sentence when verification refuses.
 */
export async function bytesOf(
  { statusCode, headers, body }: Pick<Dispatcher.ResponseData, "statusCode" | "headers" | "body">,
  maxBytes: number,
): Promise<Uint8Array> {
  if (statusCode !== 200) throw new UnreadableFileError(sentenceOf(await readAtMost(body, refusalBytes)));
  const tooLarge = new UnreadableFileError(
    `It is larger than ${Math.floor(maxBytes / 1_000_000) || "<1"} MB, the most that I read.`,
  );
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const bytes = await readAtMost(body, maxBytes);
  if (bytes === "too_large") throw tooLarge;
  return bytes;
}

/** Returns verification's own sentence, or a general one when something else answered. */
function sentenceOf(body: Buffer | "too_large"): string {
  try {
    const { error } = JSON.parse(body.toString()) as { error?: { message?: unknown } };
    if (typeof error?.message === "string" && error.message !== "") return error.message.slice(0, 500);
  } catch {
    // Not JSON: a proxy or another program answered.
  }
  return "It can't be fetched right now. Please try again.";
}
