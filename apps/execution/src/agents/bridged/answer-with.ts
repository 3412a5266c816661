import type { AgentAnswer, AnswerFile } from "../agent.ts";
import { answerPartsOf, type AgentFile } from "./answer-parts.ts";
import { fileName } from "./file-name.ts";
import { fitInAnswer } from "./fit-answer.ts";
import { responseText } from "./response-text.ts";

/** Largest total size of an answer's files, bytes, and their largest number (`task-succeeded.schema.json`). */
export const mostFileBytesOfAnswer = 20_000_000;
export const mostFilesOfAnswer = 20;

/**
 * Returns the answer for an output, any JSON value: text, files, and the output itself when it fits. Files beyond 20 MB
 * or 20 in number are named in the text.
 */
export function answerWith(output: unknown): AgentAnswer {
  const parts = answerPartsOf(output);
  const { files, leftOut } = fitFiles(parts?.files ?? []);
  const text = responseText(output, parts);
  const response_text = leftOut.length === 0 ? text : `${text}\n\nNot shown, too large: ${leftOut.join(", ")}.`;
  const isStructured = typeof output === "object" && output !== null;
  return {
    response_text,
    ...(files.length > 0 && { files }),
    ...(isStructured && files.length === 0 && fitInAnswer(response_text, output) && { output_data: output }),
  };
}

/** Returns the files that fit into an answer, with safe and unique names, and the names of the others. */
export function fitFiles(all: readonly AgentFile[]): { readonly files: AnswerFile[]; readonly leftOut: string[] } {
  const files: AnswerFile[] = [];
  const leftOut: string[] = [];
  let room = mostFileBytesOfAnswer;
  for (const { name, mediaType = "application/octet-stream", bytes } of all) {
    const called = uniqueName(fileName(name, `file-${files.length + leftOut.length + 1}`), files);
    if (bytes.byteLength > room || files.length === mostFilesOfAnswer) {
      leftOut.push(`${called} (${Math.ceil(bytes.byteLength / 1_000_000)} MB)`);
      continue;
    }
    room -= bytes.byteLength;
    files.push({ name: called, media_type: mediaType.slice(0, 255), bytes });
  }
  return { files, leftOut };
}

/** `chart.png`, then `chart-2.png`. */
function uniqueName(name: string, taken: readonly { readonly name: string }[]): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${stem}-${count}${extension}`;
    if (taken.every((file) => file.name !== candidate)) return candidate;
  }
}
