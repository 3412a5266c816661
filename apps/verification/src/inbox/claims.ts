export interface ClaimsOptions {
  /** How long a claim is held, milliseconds. */
  readonly ttlMs: number;
  /** How many are held at most; beyond it the oldest are let go. */
  readonly most: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Remembers what has been claimed. Slack delivers an event up to four times within minutes, and one mention as two events. */
export interface Claims {
  /** Claims all of them, or none when one is held already. */
  claim(keys: readonly string[]): boolean;
}

/** Claims in memory, in the order in which they were made: a map's own. */
export function createClaims({ ttlMs, most, now }: ClaimsOptions): Claims {
  const held = new Map<string, number>();

  function forget(): void {
    const expired = now() - ttlMs;
    for (const [key, claimedAt] of held) {
      if (claimedAt > expired && held.size <= most) return;
      held.delete(key);
    }
  }

  return {
    claim: (keys) => {
      forget();
      if (keys.some((key) => held.has(key))) return false;
      for (const key of keys) held.set(key, now());
      return true;
    },
  };
}
