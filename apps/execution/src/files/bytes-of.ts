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
  if (bytes === undefined) throw tooLarge;
  return bytes;
}

/** The whole body; nothing when it is larger. */
async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Verification's own sentence, or one of ours when something else answered. */
function sentenceOf(bytes: Uint8Array = new Uint8Array()): string {
  try {
    const { error } = JSON.parse(new TextDecoder().decode(bytes)) as { error?: { message?: unknown } };
    if (typeof error?.message === "string" && error.message !== "") return error.message.slice(0, 500);
  } catch {
    // No JSON: a proxy, or something else altogether.
  }
  return "It cannot be fetched right now. Please try again.";
}
