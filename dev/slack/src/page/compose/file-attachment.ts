import type { PostedFile } from "../../control/protocol.ts";

/** A file to send with a message, its bytes in base64. */
export type Attachment = PostedFile;

const largestBytes = 1_000_000;

/** Reads a selected file; rejects with an `Error` if it is larger than 1 MB. */
export async function readAttachment(file: File): Promise<Attachment> {
  if (file.size > largestBytes) throw new Error(`${file.name} is larger than 1 MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mimetype = file.type || "application/octet-stream";
  return { name: file.name, mimetype, content: bytes.toBase64(), encoding: "base64" };
}
