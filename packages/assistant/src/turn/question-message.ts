import type { FilePart, ModelMessage, TextPart } from "ai";
import type { RefusedFile } from "../files/question-file.ts";

/** Returns the question for the model: the person's text, then the files. */
export function questionMessage(
  text: string,
  parts: readonly (TextPart | FilePart)[],
  refused: readonly RefusedFile[],
): ModelMessage {
  const words: TextPart = { type: "text", text: text.trim() === "" ? "(The message has no text.)" : text };
  const notes = refused.map(({ name, why }): TextPart => ({
    type: "text",
    text: `File ${JSON.stringify(name)} can't be read: ${why} The person is told so.`,
  }));
  return { role: "user", content: [words, ...parts, ...notes] };
}
