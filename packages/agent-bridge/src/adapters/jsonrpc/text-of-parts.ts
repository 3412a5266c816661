import { isObject, ownMember } from "../own-member.ts";

/**
 * Returns the texts of all text parts, in order. Older agents call a part's kind `type`. A part with neither is a text
 * part if it has a text.
 */
export function textsOfParts(parts: readonly unknown[]): readonly string[] {
  return parts.flatMap((part) => {
    const text = ownMember(part, "text");
    return typeof text === "string" && isTextPart(part) ? [text] : [];
  });
}

/** Whether any part is more than text. */
export function holdMoreThanText(parts: readonly unknown[]): boolean {
  return parts.some((part) => isObject(part) && !(isTextPart(part) && typeof part["text"] === "string"));
}

function isTextPart(part: unknown): boolean {
  return (ownMember(part, "kind") ?? ownMember(part, "type") ?? "text") === "text";
}
