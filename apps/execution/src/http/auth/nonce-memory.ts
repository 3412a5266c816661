export interface NonceMemory {
  /**
   * Remembers a nonce until its timestamp (seconds) is `windowS` old. Returns false when the nonce was, or may have
   * been, used before.
   */
  remember(timestamp: number, nonce: string): boolean;
  /**
   * Nonces up to this timestamp (seconds) are forgotten, so older timestamps must be refused regardless of the window.
   */
  readonly forgottenUntil: number;
}

/**
 * Remembers used nonces, so that each is accepted once. They are stored by the second of their timestamp, for as long
 * as that timestamp is accepted. Above the limit the oldest second is forgotten and timestamps that old are refused. So
 * memory is bounded and replays are still refused.
 */
export function createNonceMemory(windowS: number, most: number): NonceMemory {
  const seconds = new Map<number, Set<string>>();
  let size = 0;
  let forgottenUntil = -Infinity;
  let newest = -Infinity;

  const forget = (second: number): void => {
    size -= seconds.get(second)?.size ?? 0;
    seconds.delete(second);
    forgottenUntil = Math.max(forgottenUntil, second);
  };

  return {
    remember: (timestamp, nonce) => {
      const used = seconds.get(timestamp) ?? new Set();
      if (timestamp <= forgottenUntil || used.has(nonce)) return false;
      used.add(nonce);
      seconds.set(timestamp, used);
      size += 1;
      if (timestamp > newest) {
        newest = timestamp;
        // Uses no clock: an accepted timestamp is at most one window ahead, so a timestamp two windows older has
        // expired.
        for (const second of seconds.keys()) if (second < newest - 2 * windowS) forget(second);
      }
      if (size > most) forget(Math.min(...seconds.keys()));
      return true;
    },
    get forgottenUntil() {
      return forgottenUntil;
    },
  };
}
