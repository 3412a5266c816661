export interface NonceMemory {
  /** Remembers a nonce until its timestamp (in seconds) is `windowS` old. False when it was there already, or may have been. */
  remember(timestamp: number, nonce: string): boolean;
  /** Up to here (seconds) nothing is known any more: an older timestamp has to be refused, whatever the window says. */
  readonly forgottenUntil: number;
}

/**
 * The nonces that were used, so that none is good twice. They are kept by the second of their timestamp for as long as that
 * timestamp is accepted. When there are too many, the oldest second is forgotten and nothing that old is accepted: memory is
 * bounded, and a replay is still refused.
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
        // No clock here: a timestamp that is accepted now is at most a window ahead, so one two windows older is out of date.
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
