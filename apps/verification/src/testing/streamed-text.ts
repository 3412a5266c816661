import type { StreamChunk } from "../slack/slack-api.ts";

/** Returns the text of chunks, without tasks. */
export function streamedText(chunks: readonly StreamChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "markdown_text" ? chunk.text : "")).join("");
}
