const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|csv|javascript|sql|toml|x-ndjson)\b|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml)\b)/i;
const textNames =
  /\.(?:txt|text|log|csv|tsv|json|jsonl|ndjson|md|markdown|xml|html?|svg|ya?ml|toml|ini|cfg|sql|js|ts|jsx|tsx|py|rb|go|rs|java|c|h|cpp|cs|sh|css|diff|patch)$/i;

/** Returns whether a file is text, by its type or name. */
export function isText({ name, mediaType }: { readonly name: string; readonly mediaType: string }): boolean {
  return textTypes.test(mediaType) || textNames.test(name);
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Returns undefined for bytes that are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isWide ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
