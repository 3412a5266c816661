import { hash } from "node:crypto";

const names = new Map<string, string>();

/**
 * Makes each connection parse a statement only once, because parsing costs as much as running it. Only for a fixed set of texts: none is
 * ever forgotten.
 */
export function prepare(text: string): string {
  // PostgreSQL truncates names to 63 bytes.
  const name = names.get(text) ?? hash("sha256", text, "base64url");
  names.set(text, name);
  return name;
}

/** Returns the name of a prepared statement; undefined for other texts. */
export const preparedName = (text: string): string | undefined => names.get(text);
