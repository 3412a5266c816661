import { isObject, ownMember } from "../own-member.ts";

/** The texts of all text parts, in order. Older agents call the kind of a part its `type`; a part with neither that has a text is one too. */
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
