import { type JsonTextError, parseExactJson } from "@crosszone/contracts/json";

/** The value of a JSON text, or why it can't be read. `changed` is the value with changes; undefined if there is none. */
export type ReadJson = { readonly value: unknown } | { readonly problem: string; readonly changed: unknown };

/** Never throws. */
export function readJson(text: string): ReadJson {
  try {
    return { value: parseExactJson(text.replace(/^\ufeff/, ""), { maxDepth: mostLevels }) };
  } catch (error) {
    const { kind, message, cause, value: changed } = error as JsonTextError;
    return { problem: kind === "not_json" ? (cause as Error).message : `it ${message}`, changed };
  }
}

/** Levels of nested arrays and objects: an answer of an agent has up to 128. */
const mostLevels = 256;
