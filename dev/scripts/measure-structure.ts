/**
 * `pnpm measure:structure` prints how large the repository is, what grew since the build before, and which of its folders are tangled; with
 * `--stories` also which files tell more than one.
 */
import { type Circle, weigh } from "./structure/circles.ts";
import { findKnots } from "./structure/folders.ts";
import { countLines, isProduct, listFiles, readEarlier, readSources } from "./structure/sources.ts";
import { storiesOf } from "./structure/stories.ts";

const files = listFiles();
const sources = readSources(files);
const product = sources.filter(({ path }) => isProduct(path));
const sizes = product.map(({ lines }) => lines).toSorted((a, b) => a - b);
const knots = findKnots(sources);
const told = product.map(({ path, ...source }) => [path, storiesOf({ path, ...source })] as const);
const apart = told.filter(([, stories]) => stories.length > 1);

const at = (share: number): number => sizes[Math.floor(sizes.length * share)] ?? 0;
const earlier = readEarlier();
const before = weigh(earlier.files, () => 0);
const gained = weigh([...new Set([...files, ...earlier.files])], (path) => earlier.gained.get(path) ?? 0);
const rows: readonly (readonly [what: string, value: number, grew?: number])[] = [
  ["files", files.length, files.length - earlier.files.length],
  ...Object.entries(weigh(files)).flatMap(([circle, size]) => [
    [`${circle}: files`, size.files, size.files - before[circle as Circle].files] as const,
    [`${circle}: lines`, size.lines, gained[circle as Circle].lines] as const,
  ]),
  ["source files (apps and packages, without tests)", product.length],
  ["their lines", sizes.reduce((sum, lines) => sum + lines, 0)],
  ["lines of the median file", at(0.5)],
  ["lines of 9 in 10 files, at most", at(0.9)],
  ["files over 350 lines", sizes.filter((lines) => lines > 350).length],
  ["files under 15 lines", sizes.filter((lines) => lines < 15).length],
  ["files of two stories or more", apart.length],
  ["folder knots", knots.length],
  ["lines of .env.example", countLines(".env.example")],
];
const figure = (value: number, signDisplay: "auto" | "exceptZero"): string =>
  value.toLocaleString("en", { signDisplay }).padStart(8);
const lines = rows.map(([what, value, grew]) =>
  [what.padEnd(50), figure(value, "auto"), ...(grew === undefined ? [] : [figure(grew, "exceptZero")])].join(" "),
);
process.stdout.write(`${" ".repeat(56)}now     grew\n${lines.join("\n")}\n`);
process.stdout.write(knots.map((knot) => `${knot}\n`).join(""));
if (process.argv.includes("--stories"))
  process.stdout.write(apart.map(([path, stories]) => `${path}: ${stories.join(", ")}\n`).join(""));
