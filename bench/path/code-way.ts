import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { CoveredFile, CoveredFunction } from "./recorder/record-coverage.ts";

/** A source file on the way of a question. */
export interface FileOnWay {
  /** Below the repository. */
  readonly path: string;
  /** Lines of the file that are code. */
  readonly lines: number;
  /** Lines of code of the functions that ran. */
  readonly ran: number;
}

/**
 * The files of apps and packages of which a function ran for each of several questions. What ran for only some of them was background
 * work by chance. `recordings` has the files that ran for each question.
 */
export function findCodeWay(root: string, recordings: readonly (readonly CoveredFile[])[]): FileOnWay[] {
  const [first = [], ...others] = recordings.map((files) => new Map(files.map((file) => [file.path, file])));
  return [...first.values()].flatMap((file): FileOnWay[] => {
    const ranElsewhere = others.map((files) => placesThatRan(files.get(file.path)));
    const functions = file.functions.map((one) => ({
      ...one,
      ran: one.ran && ranElsewhere.every((places) => places.has(placeOf(one))),
    }));
    const path = relative(root, file.path);
    if (!isWritten(path) || !functions.some(({ ran }) => ran)) return [];
    const source = readFileSync(file.path, "utf8");
    return [{ path, lines: linesOf(source).filter(isCode).length, ran: countLines(source, functions) }];
  });
}

const isWritten = (path: string): boolean => /^(apps|packages)\//.test(path) && !path.includes("/generated/");
const placeOf = ({ start, end }: CoveredFunction): string => `${start}-${end}`;
const placesThatRan = (file: CoveredFile | undefined): Set<string> =>
  new Set(file?.functions.filter(({ ran }) => ran).map(placeOf));

/** How many lines of code belong to functions that ran, without the functions in them that did not. */
export function countLines(source: string, functions: readonly CoveredFunction[]): number {
  const ran = new Uint8Array(source.length);
  const outerFirst = functions.toSorted((a, b) => a.start - b.start || b.end - a.end);
  for (const { start, end, ran: did } of outerFirst) ran.fill(did ? 1 : 0, start, end);
  let at = 0;
  return linesOf(source).filter((line) => {
    const own = ran.subarray(at, at + line.length);
    at += line.length + 1;
    return isCode(line) && own.some((did, index) => did === 1 && line[index] !== " ");
  }).length;
}

const linesOf = (source: string): string[] => source.split("\n");
const isCode = (line: string): boolean => !/^\s*($|\/\/|\/\*|\*)/.test(line);
