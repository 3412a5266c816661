import { createHash } from "node:crypto";
import { existsSync, globSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "rolldown";
import { lock } from "./servers/lock.ts";
import { constantLists } from "./tune.ts";

const root = resolve(import.meta.dirname, "../../..");
const cache = join(root, "node_modules/.cache/crosszone");

/** The programs that tests start as processes, by their package. A package has one bundle. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "apps/execution": ["main", "data"],
  "apps/verification": ["main", "data"],
  "tools/cli": ["main"],
};

/** Its URL in a bundle is that of the bundle, which has the program of the thread beside it, as a build has. */
const startsThread = /\/request-thread\.ts$/;
const thread = join(root, "packages/workflow/src/definition/definition-thread.ts");

/** It reads the sources of the console's page, and resolves the packages that the page uses from its own folder. */
const readsSources = /\/page-assets\.ts$/;

/** What says how modules are found. */
const packages = ["{apps,dev,packages,tools}/*/package.json", "pnpm-lock.yaml"];

/** How long a bundle is kept that is no more made from the sources, milliseconds. */
const keptMs = 24 * 3_600_000;

/** How long making one takes at most, milliseconds. */
const staleMs = 60_000;

/** Returns Node's arguments that start a program of this repository: from its bundle, or from its source if it has none. */
export async function programArgs(path: string): Promise<string[]> {
  const [folder = "", file = ""] = path.split("/src/");
  const name = file.replace(/\.ts$/, "");
  const isBundled = programs[folder]?.includes(name) === true;
  return ["--conditions=@crosszone/source", isBundled ? join(await bundleOf(folder), `${name}.js`) : join(root, path)];
}

const bundles = new Map<string, Promise<string>>();

/** Resolves with the folder of the bundle of a package. Makes it if this worker is the first to need it since its sources changed. */
function bundleOf(folder: string): Promise<string> {
  return bundles.getOrInsertComputed(folder, findOrMake);
}

async function findOrMake(folder: string): Promise<string> {
  const home = join(cache, folder);
  const found = await find(home);
  if (found !== undefined) return found;
  const release = await lock(`${home}.lock`, staleMs);
  try {
    // Another worker may have made it meanwhile.
    return (await find(home)) ?? (await make(folder, home));
  } finally {
    await release();
  }
}

/** Returns the bundle that was made last, if its sources are the same. */
async function find(home: string): Promise<string | undefined> {
  const list = await readFile(join(home, "sources.json"), "utf8").catch(() => undefined);
  if (list === undefined) return undefined;
  const dir = join(home, await digestOf(JSON.parse(list) as string[]));
  return existsSync(dir) ? dir : undefined;
}

async function make(folder: string, home: string): Promise<string> {
  await mkdir(home, { recursive: true });
  await removeOld(home);
  const making = await mkdtemp(join(home, "making-"));
  const sources = await bundle(folder, making);
  await writeFile(join(making, "package.json"), '{"type":"module"}\n');
  const dir = join(home, await digestOf(sources));
  // It is there if the sources are again as they were.
  await rename(making, dir).catch(() => rm(making, { recursive: true }));
  await writeFile(`${making}.json`, JSON.stringify(sources));
  await rename(`${making}.json`, join(home, "sources.json"));
  return dir;
}

/** Returns a digest of files of this repository, relative to its root. One that is gone has none. */
async function digestOf(sources: readonly string[]): Promise<string> {
  const digest = createHash("sha256");
  const read = async (file: string) => [file, await readFile(join(root, file)).catch(() => "")] as const;
  const files = [...sources, ...globSync(packages, { cwd: root }).toSorted()];
  for (const [file, text] of await Promise.all(files.map(read)))
    digest.update(`${file}\0${text.length}\0`).update(text);
  return digest.digest("hex").slice(0, 16);
}

async function removeOld(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const path = join(home, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}

/** Bundles the programs of a package and all packages that they use. Returns the files of this repository that it read. */
async function bundle(folder: string, dir: string): Promise<string[]> {
  const input = programs[folder]?.map((name) => [name, `program:${join(root, folder, "src", `${name}.ts`)}`]) ?? [];
  const withThread = folder === "apps/execution" ? [["definition-thread", thread]] : [];
  const read = new Set([relative(root, import.meta.filename)]);
  const noteSources: Plugin = {
    name: "note-sources",
    transform: (_code, id) => {
      if (id.startsWith(`${root}/`) && !id.includes("/node_modules/")) read.add(relative(root, id));
    },
  };
  await build({
    input: Object.fromEntries([...input, ...withThread]) as Record<string, string>,
    platform: "node",
    resolve: { conditionNames: ["@crosszone/source", "node"] },
    plugins: [tunedPrograms(folder), noteSources, keepPlaces],
    output: { dir, format: "esm" },
  });
  return [...read].toSorted();
}

/** Sets the constants of `tune` before the program of a zone starts. */
function tunedPrograms(folder: string): Plugin {
  const isZone = folder.startsWith("apps/");
  const lists = constantLists.filter(({ path }) => isZone && (path.startsWith("packages/") || path.startsWith(folder)));
  const imports = lists.map(({ path, name }) => `import { ${name} } from ${JSON.stringify(join(root, path))};`);
  const tune = [
    `import { setConstants } from ${JSON.stringify(join(root, "dev/testkit/src/tune.ts"))};`,
    ...imports,
    `setConstants([${lists.map(({ name }) => name).join(", ")}]);`,
  ].join("\n");
  return {
    name: "tuned-programs",
    resolveId: (id) => (/^(program|tune):/.test(id) ? id : undefined),
    load(id) {
      if (id === "tune:") return tune;
      if (!id.startsWith("program:")) return undefined;
      const program = `import ${JSON.stringify(id.slice("program:".length))};`;
      return lists.length === 0 ? program : `import "tune:";\n${program}`;
    },
  };
}

/** Modules find the files beside them where they are in the sources. */
const keepPlaces: Plugin = {
  name: "keep-places",
  async resolveId(id, importer) {
    if (!readsSources.test(id)) return undefined;
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return resolved && { id: pathToFileURL(resolved.id).href, external: true };
  },
  transform(code, id) {
    if (!id.startsWith("/") || startsThread.test(id) || !code.includes("import.meta.")) return undefined;
    return code
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
  },
};
