import { posix } from "node:path";
import type { FolderOrder } from "./folder-order.ts";
import { isProduct, type Source } from "./sources.ts";

/** An import between two places of one folder. A place is a folder in it, or a file in it. */
interface Crossing {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly importer: string;
  readonly imported: string;
}

/** Returns the groups of places that import each other, one line each, at every level below `src`. */
export function findKnots(sources: readonly Source[]): string[] {
  const byFolder = Map.groupBy(sources.flatMap(crossingsOf), ({ folder }) => folder);
  return [...byFolder].flatMap(([folder, crossings]) => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of crossings) graph.set(from, (graph.get(from) ?? new Set()).add(to));
    return findCycles(graph).map((places) => `${folder}: ${places.join(" ⇄ ")}`);
  });
}

/** Returns what breaks the declared order of folders: one sentence for each import that goes up, and for each folder without a place. */
export function findUpwardImports(sources: readonly Source[], orders: FolderOrder): string[] {
  return Object.entries(orders).flatMap(([src, order]) => {
    const inside = sources.flatMap(crossingsOf).filter(({ folder }) => folder === src);
    const folders = inside.flatMap(({ from, to }) => [from, to]).filter((place) => !place.endsWith(".ts"));
    const unknown = [...new Set(folders)].filter((place) => !order.includes(place));
    const upward = inside.filter(({ from, to }) => order.includes(from) && order.indexOf(to) < order.indexOf(from));
    return [
      ...unknown.map((place) => `${src}/${place} has no place in dev/scripts/structure/folder-order.ts`),
      ...upward.map(
        ({ from, to, importer, imported }) =>
          `${importer} imports ${imported}: ${to} ${order.includes(to) ? `is above ${from}` : "is above all folders"} (${order.join(" → ")})`,
      ),
    ];
  });
}

/** How many source files a folder holds at most: what one can take in at a glance. */
const mostFiles = 16;

/** Returns one sentence for each folder of the product with too many source files; tests beside them are not counted. */
export function findCrowds(sources: readonly Source[]): string[] {
  const own = sources.filter(({ path }) => isProduct(path));
  return [...Map.groupBy(own, ({ path }) => posix.dirname(path))]
    .filter(([, files]) => files.length > mostFiles)
    .map(
      ([folder, files]) =>
        `${folder} has ${files.length} source files, the limit is ${mostFiles}: join some, or split it`,
    );
}

/** What tests import is free: they and their support see all folders. */
const isTest = (path: string): boolean => /\.(test|contract)\.ts$|\/testing\//.test(path);

/** Returns a crossing for each import that leaves one place of a folder, at or below `src`, for another. */
function crossingsOf({ path, imports }: Source): Crossing[] {
  const importer = path.split("/");
  if (importer[2] !== "src" || isTest(path)) return [];
  return imports.flatMap((target) => {
    const imported = target.split("/");
    const level = importer.findIndex((part, index) => part !== imported[index]);
    if (level < 3) return [];
    const [from = "", to = ""] = [importer[level], imported[level]];
    return [{ folder: posix.join(...importer.slice(0, level)), from, to, importer: path, imported: target }];
  });
}

/** A directed graph: each node with the nodes that it points to. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the groups of nodes that reach each other, sorted; a node alone is no group. */
export function findCycles(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const groups = [...graph.keys()].map((node) =>
    [...(reached.get(node) ?? [])].filter((other) => reached.get(other)?.has(node)).toSorted(),
  );
  return [...new Map(groups.map((group) => [group.join(" "), group])).values()].filter(({ length }) => length > 1);
}

/** Returns the nodes at the ends of all paths that begin with an edge of a node. */
function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const rest = [start];
  for (let node = rest.pop(); node !== undefined; node = rest.pop())
    for (const next of graph.get(node) ?? []) {
      if (!reached.has(next)) rest.push(next);
      reached.add(next);
    }
  return reached;
}
