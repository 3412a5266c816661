/**
 * Copies the builds of both zones, of the local Slack and of the packages that they use into `zones/node_modules`, a folder each. npm has none
 * of these packages. There Node.js finds each of them by its name, as in this repository: in an import, and also when a program asks for a file.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "rolldown";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly default?: string }>>;
  readonly publishConfig?: { readonly imports?: object };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, "../../..");
const packageDir = join(root, "tools/local");
const zonesDir = join(packageDir, "zones");
const read = (dir: string): Manifest => JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Manifest;

const folders = new Map(
  globSync(["{apps,dev,packages,tools}/*/package.json"], { cwd: root }).map((path) => {
    const dir = join(root, dirname(path));
    return [read(dir).name, dir];
  }),
);
const manifests = new Map<string, Manifest>();
const fromNpm: Record<string, string> = {};

function collect(name: string): void {
  if (manifests.has(name)) return;
  const manifest = read(folders.get(name) ?? "");
  manifests.set(name, manifest);
  for (const [needed, version] of Object.entries(manifest.dependencies ?? {}))
    if (folders.has(needed)) collect(needed);
    else fromNpm[needed] = version;
}

for (const name of ["execution", "verification", "dev-slack"]) collect(`@crosszone/${name}`);
// `crosszone-local` itself parses its command line with commander.
const { commander: _commander, ...listed } = read(packageDir).dependencies ?? {};
const sorted = Object.fromEntries(Object.entries(fromNpm).toSorted(([a], [b]) => (a < b ? -1 : 1)));
if (JSON.stringify(sorted) !== JSON.stringify(listed))
  throw new Error(`The dependencies of @crosszone/local must be:\n${JSON.stringify(sorted, undefined, 2)}`);

rmSync(zonesDir, { recursive: true, force: true });
for (const [name, { version, files, exports, publishConfig }] of manifests) {
  const from = folders.get(name) ?? "";
  const to = join(zonesDir, "node_modules", name);
  for (const file of globSync(
    files.map((entry) => (entry === "dist" ? "dist/**/*.{js,json}" : entry)),
    { cwd: from },
  ))
    cpSync(join(from, file), join(to, file), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  // Tests import the others, from sources.
  const built = Object.entries(exports)
    .map(([path, file]) => [path, typeof file === "string" ? file : file.default] as const)
    .filter(([, file]) => file?.startsWith("./src/") === false);
  const manifest = {
    name,
    version,
    type: "module",
    exports: Object.fromEntries(built),
    imports: publishConfig?.imports,
  };
  writeFileSync(join(to, "package.json"), `${JSON.stringify(manifest)}\n`);
}
// The build of the local Slack leaves its terminal client out, which shares files with the page in the browser.
await build({
  input: join(root, "dev/slack/src/chat/main.ts"),
  platform: "node",
  external: (id) => !/^[./]/.test(id),
  output: { file: join(zonesDir, "chat/main.js") },
});
