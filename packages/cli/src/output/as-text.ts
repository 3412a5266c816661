import { harmless, harmlessJson } from "./harmless.ts";

/** Texts as they are, everything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? harmless(value) : harmlessJson(value);
}
