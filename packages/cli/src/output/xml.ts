const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 can't have at all, and lone surrogates. */
const impossible =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes text for an XML element or a quoted attribute. Characters that XML can't have become U+FFFD. */
export function xml(text: string): string {
  return text.replaceAll(impossible, "\ufffd").replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
}

/** Escapes text for an attribute: line feeds and tabs stay. */
export function attribute(text: string): string {
  return xml(text).replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
