import { hash } from "node:crypto";

const names = new Map<string, string>();

/** Has each connection parse a statement once only, which costs as much as to run it. For texts that are few: none is forgotten. */
export function prepare(text: string): string {
  // PostgreSQL keeps 63 bytes of a name.
  const name = names.get(text) ?? hash("sha256", text, "base64url");
  names.set(text, name);
  return name;
}

/** The name of a statement that is to be parsed once; nothing for others. */
export const preparedName = (text: string): string | undefined => names.get(text);
