/** Characters of a name that are compared; the comparison takes time proportional to the product of the lengths. */
const longestCompared = 64;

/**
 * Returns the names that are similar to `wanted`, the nearest first: names that differ in few letters, and names where one is a prefix of
 * the other. Case, spaces and dashes are ignored.
 */
export function nearNames(wanted: string, names: readonly string[], most = 3): string[] {
  const letters = lettersOf(wanted);
  return names
    .map((name) => ({ name, far: distance(letters, lettersOf(name)) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(letters.length / 3)))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

function lettersOf(name: string): string[] {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_.-]+/g, "");
  return Array.from(plain).slice(0, longestCompared);
}

/**
 * Returns the number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); 1 if a name of three or
 * more letters is a prefix of the other.
 */
function distance(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= 3 && short.every((letter, at) => letter === long[at]))
    return Math.min(1, long.length - short.length);
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_none, at) => at);
  for (const [row, letter] of one.entries()) {
    const next = [row + 1];
    for (const [at, opposite] of other.entries()) {
      const exchanged = (last[at] ?? 0) + Number(letter !== opposite);
      const swapped = letter === other[at - 1] && one[row - 1] === opposite ? (before[at - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(exchanged, swapped, (last[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    before = last;
    last = next;
  }
  return last.at(-1) ?? 0;
}
