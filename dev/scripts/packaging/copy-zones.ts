/**
 * Copies the builds of both zones, of the local Slack and of the packages that they use into `zones`, a folder each. Imports of one
 * another become paths, because npm has none of these packages.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build } from "rolldown";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly default?: string }>>;
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

/** Returns where the file is, in `zones`, that an import such as `@crosszone/service-kit/yaml` or `#schemas/task/task-id.json` means. */
function fileOf(specifier: string): string {
  if (specifier.startsWith("#schemas/")) return join(zonesDir, "contracts", specifier.slice(1));
  const [scope, name, ...path] = specifier.split("/");
  const exported = manifests.get(`${scope}/${name}`)?.exports[["."].concat(path).join("/")];
  const file = typeof exported === "object" ? exported.default : undefined;
  if (name === undefined || file === undefined) throw new Error(`No package exports ${specifier}`);
  return join(zonesDir, name, file);
}

const importOfOurs = /(\bfrom\s*|\bimport\s*\(?\s*)"((?:@crosszone|#schemas)\/[^"]+)"/g;

for (const name of ["execution", "verification", "dev-slack"]) collect(`@crosszone/${name}`);
// `crosszone-local` itself parses its command line with commander.
const { commander: _commander, ...listed } = read(packageDir).dependencies ?? {};
const sorted = Object.fromEntries(Object.entries(fromNpm).toSorted(([a], [b]) => (a < b ? -1 : 1)));
if (JSON.stringify(sorted) !== JSON.stringify(listed))
  throw new Error(`The dependencies of @crosszone/local must be:\n${JSON.stringify(sorted, undefined, 2)}`);

rmSync(zonesDir, { recursive: true, force: true });
for (const [name, { version, files }] of manifests) {
  const from = folders.get(name) ?? "";
  const to = join(zonesDir, basename(name));
  for (const file of globSync(
    files.map((entry) => (entry === "dist" ? "dist/**/*.{js,json}" : entry)),
    { cwd: from },
  ))
    cpSync(join(from, file), join(to, file), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  writeFileSync(join(to, "package.json"), `${JSON.stringify({ name, version, type: "module" })}\n`);
}
for (const file of globSync("*/dist/**/*.js", { cwd: zonesDir })) {
  const path = join(zonesDir, file);
  const text = readFileSync(path, "utf8");
  const moved = text.replaceAll(importOfOurs, (_, before: string, specifier: string) => {
    const target = relative(dirname(path), fileOf(specifier)).replaceAll("\\", "/");
    return `${before}"${target.startsWith(".") ? target : `./${target}`}"`;
  });
  if (moved !== text) writeFileSync(path, moved);
}
// The build of the local Slack leaves its terminal client out, which shares files with the page in the browser.
await build({
  input: join(root, "dev/slack/src/chat/main.ts"),
  platform: "node",
  external: (id) => !/^[./]/.test(id),
  output: { file: join(zonesDir, "chat/main.js") },
});
