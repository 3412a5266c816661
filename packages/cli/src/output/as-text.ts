import { harmless, harmlessJson } from "./harmless.ts";

/** Returns a string as it is, and any other value as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? harmless(value) : harmlessJson(value);
}
