/** A shorter secret occurs in many answers by chance, and is easy to guess anyway. */
const leastUnits = 8;

/**
 * Returns an answer without our credentials. Many agents repeat the request in an error, which would put them into
 * results, logs and chats.
 */
export function hideSecretsIn(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const written = secrets
    .filter(({ length }) => length >= leastUnits)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)].map((text) => Buffer.from(text)));
  let kept = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // In latin1 each byte is one character, so no other byte changes, text or not.
  for (const bytes of written)
    if (kept.includes(bytes))
      kept = Buffer.from(kept.toString("latin1").replaceAll(bytes.toString("latin1"), "[redacted]"), "latin1");
  return kept;
}
