import { fit } from "../output/fit.ts";

/** The most lines shown, and the widest line. */
const mostLines = 30;
const widest = 160;
/** The most pairs of lines that are compared; beyond, everything between the common ends counts as changed. */
const mostPairs = 1_000_000;

/** Returns the lines that differ: `- ` only in `before`, `+ ` only in `after`, each change below the equal line before it. Empty when equal. */
export function diffLines(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const changed = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lines = [...(start > 0 ? [`  ${a[start - 1]}`] : []), ...changed];
  const shown = lines.slice(0, mostLines).map((line) => fit(line, widest));
  return lines.length > mostLines ? [...shown, `  … ${lines.length - mostLines} more lines`] : shown;
}

function between(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > mostPairs) return [...a.map((line) => `- ${line}`), ...b.map((line) => `+ ${line}`)];
  const common = commonLengths(a, b);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(`  ${a[i]}`);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push(`- ${a[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${b[j]}`);
      j += 1;
    }
  }
  return lines;
}

/** `[i][j]`: the length of the longest common subsequence of `a` from `i` and `b` from `j`. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] as number[];
      row[j] = a[i] === b[j] ? (lengths[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}
