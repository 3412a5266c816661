/**
 * `./crosszone kit:pack [KIT]`: packs what is not published yet into `release/`, all or one kit, and prints a line for each that installs it from
 * this clone. `--into FOLDER` packs what a new folder of create-crosszone installs.
 */
import { execFileSync, type StdioOptions } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = resolve(import.meta.dirname, "..");
const goKit = "github.com/crosszone/crosszone/kits/go";
const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** The folders of the packages, by the names of the packed files. */
const folders: Readonly<Record<string, string>> = {
  "crosszone-agent": "tools/agent",
  crosszone: "tools/cli",
  "crosszone-local": "tools/local",
  "create-crosszone": "tools/create-crosszone",
  "crosszone-contracts": "packages/contracts",
};

/** A title, the packages, and the command that installs the first of them. */
type Kit = readonly [title: string, packages: readonly string[], install: (file: string) => string];

const go = `go mod edit -require=${goKit}@v0.0.0 -replace=${goKit}=${quoted(join(root, "kits/go"))}`;
const kits: Readonly<Record<string, Kit>> = {
  agent: ["TypeScript and JavaScript", ["crosszone-agent"], (file) => `npm install ${file}`],
  python: ["Python", [], () => `.venv/bin/pip install ${quoted(join(root, "kits/python"))}`],
  go: ["Go", [], () => go],
  cli: ["The command line", ["crosszone"], (file) => `npm install --global ${file}`],
  create: [
    "A new folder with all of it",
    ["create-crosszone", "crosszone-local"],
    (file) => `npx -y -p ${file} create-crosszone my-team`,
  ],
  contracts: ["The contract between the zones", ["crosszone-contracts"], (file) => `npm install ${file}`],
};

/** Builds packages, and packs them into a folder. Says on the standard error what it does: the first build takes a minute. */
function pack(folder: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const stdio: StdioOptions = ["ignore", "ignore", "inherit"];
  const filters = names.map((name) => `--filter=./${folders[name]}`);
  process.stderr.write(`Building ${names.join(", ")} and what they need…\n`);
  execFileSync("turbo", ["run", "build", ...filters, "--output-logs=errors-only"], { cwd: root, stdio });
  mkdirSync(folder, { recursive: true });
  for (const [at, name] of names.entries()) {
    process.stderr.write(`Packing ${name}.tgz (${at + 1} of ${names.length})…\n`);
    const file = join(folder, `${name}.tgz`);
    rmSync(file, { force: true });
    execFileSync("pnpm", ["pack", "--out", file], { cwd: join(root, folders[name] ?? ""), stdio });
  }
}

const { values, positionals } = parseArgs({ options: { into: { type: "string" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(kits, name));
if (values.into !== undefined) pack(resolve(values.into), ["crosszone-agent", "crosszone", "crosszone-local"]);
else if (unknown.length > 0) {
  process.stderr.write(`There is no kit ${unknown.join(", ")}. The kits: ${Object.keys(kits).join(", ")}.\n`);
  process.exitCode = 2;
} else {
  const release = join(root, "release");
  const chosen = Object.entries(kits).flatMap(([name, kit]) =>
    positionals.length === 0 || positionals.includes(name) ? [kit] : [],
  );
  const names = chosen.flatMap(([, packages]) => packages);
  pack(release, names);
  const text = chosen.map(
    ([title, [file], install]) => `${title}:\n  ${install(quoted(join(release, `${file}.tgz`)))}\n`,
  );
  process.stdout.write(
    `The kits and the command line are not published yet. Install them from this clone.\n\n${text.join("\n")}`,
  );
}
