import type { StreamChunk } from "../slack/stream-chunk.ts";

/** Returns the text of chunks, without tasks. */
export function streamedText(chunks: readonly StreamChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "markdown_text" ? chunk.text : "")).join("");
}
