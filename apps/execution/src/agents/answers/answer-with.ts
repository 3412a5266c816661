import type { AgentAnswer, AnswerFile } from "../agent.ts";
import { type AgentFile, answerPartsOf } from "./answer-parts.ts";
import { fitInAnswer, responseText } from "./response-text.ts";

/** Returns the last segment of a file's name without characters that are unsafe in a path or a message; `fallback` when nothing is left. */
export function fileName(name: string | undefined, fallback: string): string {
  const last = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  // oxlint-disable-next-line no-control-regex -- control characters are removed from names
  const safe = last.replaceAll(/[\x00-\x1f\x7f-\x9f<>:"|?*\u2028-\u202e\u2066-\u2069]+/g, "_").replace(/^\.+/, "");
  return safe.trim().slice(-200).toWellFormed() || fallback;
}

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
