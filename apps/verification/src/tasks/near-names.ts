/** Of a longer name only the beginning is compared: the time that it takes grows with the product of the lengths. */
const longestCompared = 64;

/**
 * The names that somebody may have meant who wrote another one, the nearest first: those with few letters that differ, and those of which
 * one begins with the other. Capitals, spaces and dashes do not count.
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
 * How many letters have to be put in, left out, exchanged or swapped with their neighbour (optimal string alignment); 1 where a name of
 * three letters or more is the beginning of the other.
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
