/** The value below which that part of the sorted values lies. NaN when there are none. */
function quantile(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The middle value; between two, their mean. NaN when there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (quantile(sorted, 0.5) + (sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN)) / 2;
}

export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).toSorted();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The median of each figure over some samples. */
export function mediansOf<Figure extends string>(
  samples: readonly Readonly<Record<Figure, number>>[],
  figures: readonly Figure[],
): Readonly<Record<Figure, number>> {
  const entries = figures.map((figure) => [figure, median(samples.map((sample) => sample[figure]))]);
  return Object.fromEntries(entries) as Record<Figure, number>;
}

export interface InRound {
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
