import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

interface Import {
  /** Undefined for the whole module. */
  readonly name: string | undefined;
  readonly from: string;
}

/** A border between two folders: a file of the first imports a file of the second. */
export type Border = readonly [caller: string, callee: string];

/**
 * The folders that meet on the way: distinct pairs of folders such that an executed file of the first imports an executed file of the
 * second. A name from a package's index is followed to the file that defines it. Imports of types do not count.
 */
export function findBorders(root: string, executed: readonly string[]): Border[] {
  const known = new Set(executed);
  const entries = entriesOf(root);
  const importsOf = remembered((path: string) => readImports(readFileSync(resolve(root, path), "utf8")));
  const target = (from: string, specifier: string): string | undefined =>
    specifier.startsWith(".") ? join(dirname(from), specifier) : entries.get(specifier);

  /** The file that defines a name, seen from a file that may only pass it on. */
  const definingFile = (path: string, name: string | undefined): string => {
    const passedOn = known.has(path) || !existsSync(resolve(root, path)) ? [] : importsOf(path);
    const next = passedOn.find((one) => one.name === name);
    const file = next && target(path, next.from);
    return file === undefined ? path : definingFile(file, name);
  };

  const borders = executed.flatMap((caller) =>
    importsOf(caller).flatMap(({ name, from }) => {
      const imported = target(caller, from);
      const callee = imported && definingFile(imported, name);
      if (callee === undefined || !known.has(callee) || dirname(callee) === dirname(caller)) return [];
      return [`${dirname(caller)} ${dirname(callee)}`];
    }),
  );
  return [...new Set(borders)].toSorted().map((pair) => pair.split(" ") as unknown as Border);
}

/** What each `@crosszone/…` specifier means: its file below the repository. */
function entriesOf(root: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const path of globSync("{apps,dev,packages}/*/package.json", { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(resolve(root, path), "utf8")) as {
      name: string;
      exports?: Record<string, string | Record<string, string>>;
    };
    for (const [entry, to] of Object.entries(exports)) {
      const file = typeof to === "string" ? to : to["@crosszone/source"];
      if (file !== undefined) entries.set(join(name, entry), join(dirname(path), file));
    }
  }
  return entries;
}

const statement = /^(?:import|export) (?!type\b)(?:([^;"]*?) from )?"([^"]+)"/gm;

/** Imports and re-exports of values, as Prettier writes them. */
export function readImports(source: string): Import[] {
  const named = [...source.matchAll(statement)].flatMap(([, what = "", from = ""]): Import[] => {
    const list = /\{([^}]*)\}/.exec(what)?.[1];
    if (list === undefined) return [{ name: undefined, from }];
    const names = list.split(",").map((name) => name.trim());
    return names
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => ({ name: name.split(" as ")[0], from }));
  });
  const lazy = [...source.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, from = ""]) => ({ name: undefined, from }));
  return [...named, ...lazy];
}

function remembered<T>(read: (path: string) => T): (path: string) => T {
  const results = new Map<string, T>();
  return (path) => {
    const result = results.get(path) ?? read(path);
    results.set(path, result);
    return result;
  };
}
