/**
 * Returns a media type without its parameters, in lower case; empty if there is none. https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
export function mediaTypeOf(text: string | string[] | undefined): string {
  const [first = ""] = (typeof text === "string" ? text : "").split(";", 1);
  return first.trim().toLowerCase();
}

/** Returns true if a media type is a form of text, which has no signature. */
export function isTextType(type: string): boolean {
  return type.startsWith("text/") || type === "application/json" || type.endsWith("+json");
}
