import { median } from "./statistics.ts";

interface InRound {
  readonly round: number;
}

/** How many times one figure is another: within each round, where the machine was the same for both; the median of that. */
export function pairedRatio<One extends InRound, Other extends InRound>(
  [ones, others]: readonly [readonly One[], readonly Other[]],
  figureOf: (of: One | Other) => number,
): number | undefined {
  const ratios = ones.flatMap((one) => {
    const other = others.find(({ round }) => round === one.round);
    return other ? [figureOf(one) / figureOf(other)] : [];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}
