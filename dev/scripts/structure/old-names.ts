import type { Source } from "./sources.ts";

/** Words that the glossary replaced, and what to say instead. They may not be part of an identifier or a file's name. */
const replaced: ReadonlyMap<string, string> = new Map([
  ["desk", "workspace"],
  ["desks", "workspaces"],
  ["insist", "retry"],
  ["insistence", "retry"],
  ["knock", "probe"],
  ["lend", "grant"],
  ["lent", "granted"],
  ["owe", "enqueue"],
  ["owed", "queued"],
  ["patience", "timeout"],
  ["retryTransient", "with retries"],
  ["reach", "with a timeout"],
  ["settle", "end"],
]);

/** Names of objects that receive events: they are observers. */
const observers = /\b(\w*[sS]een|told|watch)\??: \w*Observer\b/g;
const comments = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;
const texts = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Returns one line for each old name in each file: the path, the name, and what to say instead. */
export function findOldNames(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const code = text.replace(comments, "").replace(texts, '""');
    const named = [...new Set([...code.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name))];
    const file = path.slice(path.lastIndexOf("/") + 1).replace(/(\.\w+)?\.ts$/, "");
    const found = [...named, file].flatMap((name) => {
      const word = wordsOf(name).find((each) => replaced.has(each));
      return word === undefined ? [] : [`${path}: ${name} (say ${replaced.get(word)})`];
    });
    const seen = [...code.matchAll(observers)].map(([, name]) => `${path}: ${name} (say observer)`);
    return [...found, ...seen];
  });
}

/** Returns the words of a name in lower case: `createDeskFlows`, `create-desk-flows` and `CREATE_DESK_FLOWS` have the same. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_-]+/);
