/** `pnpm measure:structure` prints how large the repository is, and what is tangled in it. With `--list` also each knot and cycle. */
import { weigh } from "./structure/circles.ts";
import { findCycles } from "./structure/cycles.ts";
import { findKnots } from "./structure/folders.ts";
import { findLongFunctions } from "./structure/function-lengths.ts";
import { isProduct, listFiles, readSources } from "./structure/sources.ts";

const files = listFiles();
const sources = readSources(files);
const product = sources.filter(({ path }) => isProduct(path));
const sizes = product.map(({ lines }) => lines).toSorted((a, b) => a - b);
const longest = findLongFunctions(["apps", "packages"], 40).filter(
  ({ path }) => isProduct(path) && !path.includes("/generated/"),
);
const knots = findKnots(sources);
const cycles = findCycles(new Map(sources.map(({ path, imports }) => [path, new Set(imports)])));

const at = (share: number): number => sizes[Math.floor(sizes.length * share)] ?? 0;
const rows: readonly (readonly [what: string, value: number | string])[] = [
  ["files", files.length],
  ...Object.entries(weigh(files)).flatMap(([circle, size]) => [
    [`${circle}: files`, size.files] as const,
    [`${circle}: lines`, size.lines] as const,
  ]),
  ["source files (apps and packages, without tests)", product.length],
  ["their lines", sizes.reduce((sum, lines) => sum + lines, 0)],
  ["lines of the median file", at(0.5)],
  ["lines of 9 in 10 files, at most", at(0.9)],
  ["files under 15 lines", sizes.filter((lines) => lines < 15).length],
  ["longest function, lines", longest[0]?.lines ?? "40 at most"],
  ["functions over 60 lines", longest.filter(({ lines }) => lines > 60).length],
  ["folder knots", knots.length],
  ["import cycles", cycles.length],
];
const lines = rows.map(([what, value]) => {
  const figure = typeof value === "number" ? value.toLocaleString("en") : value;
  return `${what.padEnd(50)} ${figure.padStart(8)}\n`;
});
process.stdout.write(lines.join(""));
if (process.argv.includes("--list")) {
  const lists = [...knots, ...cycles.map((cycle) => cycle.join(" ⇄ "))];
  process.stdout.write(`\n${lists.join("\n")}\n`);
}
