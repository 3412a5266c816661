/** How often each thing happened, by its name. */
export type Counts = Map<string, number>;

export const countsOf = (names: Iterable<string>): Counts => {
  const counts: Counts = new Map();
  for (const name of names) add(counts, name);
  return counts;
};

export function add(counts: Counts, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}

/** Lists what happened, by name. */
export const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, times]) => `${name.replaceAll("_", " ")} ${times}`)
    .join(", ") || "nothing";
