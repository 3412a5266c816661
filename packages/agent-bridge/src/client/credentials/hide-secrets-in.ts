/** Shorter than this, a secret stands in many an answer by chance, and is guessed anyway. */
const leastUnits = 8;

/**
 * An answer without what we showed the agent to prove who we are: one that repeats its request, as many do with an error, would have it
 * put into results, logs and chats.
 */
export function hideSecretsIn(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const written = secrets
    .filter(({ length }) => length >= leastUnits)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)].map((text) => Buffer.from(text)));
  let kept = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // As latin1 each byte is one sign, so that nothing else of the answer changes, be it text or not.
  for (const bytes of written)
    if (kept.includes(bytes))
      kept = Buffer.from(kept.toString("latin1").replaceAll(bytes.toString("latin1"), "[redacted]"), "latin1");
  return kept;
}
