import { createHash } from "node:crypto";
import { existsSync, globSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "rolldown";
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

/** What a bundle is made from. Files of npm's packages are named by the lock file. */
const sources = [
  "{apps,packages,tools}/*/{package.json,src/**/*.{ts,json}}",
  "schemas/**/*.{ts,json}",
  "dev/testkit/src/*.ts",
  "pnpm-lock.yaml",
];
const isTest = /\.(test|contract)\.ts$|\/testing\/|^schemas\/fixtures\//;

/** How long a bundle is kept that is no more made from the sources, milliseconds. */
const keptMs = 24 * 3_600_000;

/** Returns Node's arguments that start a program of this repository: from its bundle, or from its source if it has none. */
export async function programArgs(path: string): Promise<string[]> {
  const [folder = "", file = ""] = path.split("/src/");
  const name = file.replace(/\.ts$/, "");
  const isBundled = programs[folder]?.includes(name) === true;
  return ["--conditions=@crosszone/source", isBundled ? join(await bundleOf(folder), `${name}.js`) : join(root, path)];
}

const bundles = new Map<string, Promise<string>>();
let reading: ReturnType<typeof readSources> | undefined;

/** Resolves with the folder of the bundle of a package. Makes it if this worker is the first to need it since its sources changed. */
function bundleOf(folder: string): Promise<string> {
  const bundle = bundles.get(folder) ?? findOrMake(folder);
  bundles.set(folder, bundle);
  return bundle;
}

async function findOrMake(folder: string): Promise<string> {
  const read = await (reading ??= readSources());
  const home = join(cache, folder);
  const dir = join(home, read.digest);
  if (existsSync(dir)) return dir;
  await mkdir(home, { recursive: true });
  await removeOld(home);
  const making = await mkdtemp(join(home, "making-"));
  for (const file of await make(folder, making))
    if (!read.files.has(file))
      throw new Error(`${file} is in the bundle of ${folder}, but not in its digest: add it to \`sources\``);
  await writeFile(join(making, "package.json"), '{"type":"module"}\n');
  // Another worker may have made it at the same time.
  await rename(making, dir).catch(() => rm(making, { recursive: true }));
  return dir;
}

async function readSources() {
  const files = globSync(sources, { cwd: root }).filter((file) => !isTest.test(file));
  const digest = createHash("sha256");
  const texts = await Promise.all(
    files.toSorted().map(async (file) => [file, await readFile(join(root, file))] as const),
  );
  for (const [file, text] of texts) digest.update(`${file}\0${text.length}\0`).update(text);
  return { digest: digest.digest("hex").slice(0, 16), files: new Set(files) };
}

async function removeOld(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const path = join(home, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}

/** Bundles the programs of a package and all packages that they use. Returns the paths of this repository's files in it. */
async function make(folder: string, dir: string): Promise<string[]> {
  const input = programs[folder]?.map((name) => [name, `program:${join(root, folder, "src", `${name}.ts`)}`]) ?? [];
  const withThread = folder === "apps/execution" ? [["definition-thread", thread]] : [];
  const { output } = await build({
    input: Object.fromEntries([...input, ...withThread]) as Record<string, string>,
    platform: "node",
    resolve: { conditionNames: ["@crosszone/source", "node"] },
    plugins: [tunedPrograms(folder), keepPlaces],
    output: { dir, format: "esm" },
  });
  return output
    .flatMap((part) => (part.type === "chunk" ? part.moduleIds : []))
    .filter((id) => id.startsWith(`${root}/`) && !id.includes("/node_modules/"))
    .map((id) => id.slice(root.length + 1));
}

/** Sets the constants of `tune` before the program of a zone starts. */
function tunedPrograms(folder: string): Plugin {
  const isZone = folder.startsWith("apps/");
  const lists = constantLists.filter(({ path }) => isZone && (path.startsWith("packages/") || path.startsWith(folder)));
  const imports = lists.map(({ path, name }) => `import { ${name} } from ${JSON.stringify(join(root, path))};`);
  const tune = [
    `import { setConstants } from ${JSON.stringify(join(root, "dev/testkit/src/set-constants.ts"))};`,
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
