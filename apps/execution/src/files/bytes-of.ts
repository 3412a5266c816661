import { readAtMost } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";
import { UnreadableFileError } from "./unreadable-file-error.ts";

/** How much of a refusal is read, bytes. */
const refusalBytes = 4_096;

/** The bytes of verification's answer, `maxBytes` at the most. Throws an `UnreadableFileError` with what verification says, if it says no. */
export async function bytesOf(
  { statusCode, headers, body }: Pick<Dispatcher.ResponseData, "statusCode" | "headers" | "body">,
  maxBytes: number,
): Promise<Uint8Array> {
  if (statusCode !== 200) throw new UnreadableFileError(sentenceOf(await readAtMost(body, refusalBytes)));
  const tooLarge = new UnreadableFileError(
    `It is larger than the ${Math.floor(maxBytes / 1_000_000) || "<1"} MB that I read.`,
  );
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const bytes = await readAtMost(body, maxBytes);
  if (bytes === "too_large") throw tooLarge;
  return bytes;
}

/** Verification's own sentence, or one of ours when something else answered. */
function sentenceOf(body: Buffer | "too_large"): string {
  try {
    const { error } = JSON.parse(body.toString()) as { error?: { message?: unknown } };
    if (typeof error?.message === "string" && error.message !== "") return error.message.slice(0, 500);
  } catch {
    // No JSON: a proxy, or something else altogether.
  }
  return "It cannot be fetched right now. Please try again.";
}
