/** The value below which that part of the sorted values lies. NaN when there are none. */
export function quantile(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The middle value; between two, their mean. NaN when there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (quantile(sorted, 0.5) + (sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN)) / 2;
}
