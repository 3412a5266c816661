import { within } from "@crosszone/service-kit";

export interface LookupCacheOptions<Found> {
  /** Nothing when there is no such thing. A rejection is not remembered. */
  readonly load: (key: string) => Promise<Found | undefined>;
  /** How long what was found is used, milliseconds. */
  readonly foundMs: number;
  /** How long it is believed that there is no such thing, milliseconds. */
  readonly missingMs: number;
  /** How long a load may take, milliseconds; then everybody who waits for it is told so. */
  readonly timeoutMs: number;
  /** How many answers are kept; beyond it, the one that was used longest ago is forgotten. */
  readonly most: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface Kept<Found> {
  readonly found: Found | undefined;
  readonly until: number;
}

/** Looks things up, each once for all who ask at the same time, and remembers the answers for a while. */
export function createLookupCache<Found>(
  options: LookupCacheOptions<Found>,
): (key: string) => Promise<Found | undefined> {
  const { load, foundMs, missingMs, timeoutMs, most, now } = options;
  const kept = new Map<string, Kept<Found>>();
  const loading = new Map<string, Promise<Found | undefined>>();

  async function loadOnce(key: string): Promise<Found | undefined> {
    try {
      const found = await within(timeoutMs, () => load(key));
      keep(key, { found, until: now() + (found === undefined ? missingMs : foundMs) });
      return found;
    } finally {
      loading.delete(key);
    }
  }

  /** The map's own order is the order of use. */
  function keep(key: string, entry: Kept<Found>): void {
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  }

  return async (key) => {
    const entry = kept.get(key);
    if (entry !== undefined && now() < entry.until) {
      keep(key, entry);
      return entry.found;
    }
    return loading.getOrInsertComputed(key, () => loadOnce(key));
  };
}
