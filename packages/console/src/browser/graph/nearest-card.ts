import type { Box } from "./layout-graph.ts";

const directions = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
} as const;

/** Returns the card that an arrow key moves to: the nearest in that direction. Sideways distance counts extra. */
export function nearestCard(cards: ReadonlyMap<string, Box>, from: string, key: string): string | undefined {
  const start = cards.get(from);
  const direction = directions[key as keyof typeof directions] as { x: number; y: number } | undefined;
  if (!start || !direction) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const [id, { x, y }] of cards) {
    const [dx, dy] = [x - start.x, y - start.y];
    const along = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    const distance = along + aside * 2;
    if (along > 1 && distance < least) [nearest, least] = [id, distance];
  }
  return nearest;
}
