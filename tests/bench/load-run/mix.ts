import type { Kind } from "./load-request.ts";

/**
 * Mixes kinds by their shares, evenly and always in the same way: each request goes to the kind that is furthest behind.
 * Gives the kind of the next request, and how many of its kind came before it.
 */
export function createMix(kinds: readonly Kind[]): () => { kind: Kind; turn: number } {
  const turns = new Map(kinds.map((kind) => [kind, 0]));
  const whole = kinds.reduce((sum, { perMille }) => sum + perMille, 0);
  let sent = 0;
  return () => {
    sent += 1;
    const behind = (kind: Kind): number => (sent * kind.perMille) / whole - (turns.get(kind) ?? 0);
    const kind = kinds.reduce((most, next) => (behind(next) > behind(most) ? next : most));
    const turn = turns.get(kind) ?? 0;
    turns.set(kind, turn + 1);
    return { kind, turn };
  };
}
