import { hash } from "node:crypto";
import type { McpDefinition } from "./mcp-server.ts";

/** Returns the SHA-256 of a definition, in hex. The order of members is irrelevant, the order of items is not. */
export function fingerprintOf({ name, description, inputSchema, annotations }: McpDefinition): string {
  return hash("sha256", canonicalJson({ name, description, inputSchema, annotations }), "hex");
}

/** JSON with the members of each object in the order of code units. https://www.rfc-editor.org/rfc/rfc8785 */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    const members = Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1));
    // In an object with a prototype, `__proto__` would not be a member.
    return Object.assign(Object.create(null) as object, Object.fromEntries(members));
  });
}
