/**
 * `./crosszone kit:pack [KIT]`: packs what is not published yet into `release/`, all or one kit, and prints a line for each that installs it from
 * this clone. `--into FOLDER` packs what a new folder of create-crosszone installs.
 */
import { execFileSync, type StdioOptions } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

interface Kit {
  readonly title: string;
  /** The folders of its packages, by the names of the packed files. The first is what people install. */
  readonly packages: Readonly<Record<string, string>>;
  /** Returns the command that installs it, given the path of its file. */
  readonly install: (file: string) => string;
}

const root = resolve(import.meta.dirname, "..");
const goKit = "github.com/crosszone/crosszone/kits/go";
const inFolder = { "crosszone-agent": "tools/agent", crosszone: "tools/cli", "crosszone-local": "tools/local" };
const kits: Readonly<Record<string, Kit>> = {
  agent: {
    title: "TypeScript and JavaScript",
    packages: { "crosszone-agent": "tools/agent" },
    install: (file) => `npm install ${file}`,
  },
  python: {
    title: "Python",
    packages: {},
    install: () => `.venv/bin/pip install ${quoted(join(root, "kits/python"))}`,
  },
  go: {
    title: "Go",
    packages: {},
    install: () => `go mod edit -require=${goKit}@v0.0.0 -replace=${goKit}=${quoted(join(root, "kits/go"))}`,
  },
  cli: {
    title: "The command line",
    packages: { crosszone: "tools/cli" },
    install: (file) => `npm install --global ${file}`,
  },
  create: {
    title: "A new folder with all of it",
    packages: { "create-crosszone": "tools/create-crosszone", "crosszone-local": "tools/local" },
    install: (file) => `npx -y -p ${file} create-crosszone my-team`,
  },
  contracts: {
    title: "The contract between the zones, with its types",
    packages: { "crosszone-contracts": "packages/contracts" },
    install: (file) => `npm install ${file}`,
  },
};

/** Builds packages, and packs them into a folder. Says on the standard error what it does: the first build takes a minute. */
function pack(folder: string, packages: Readonly<Record<string, string>>): void {
  const stdio: StdioOptions = ["ignore", "ignore", "inherit"];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1" };
  const names = Object.keys(packages);
  if (names.length === 0) return;
  const filters = Object.values(packages).map((path) => `--filter=./${path}`);
  process.stderr.write(`Building ${names.join(", ")} and what they need…\n`);
  execFileSync("turbo", ["run", "build", ...filters, "--output-logs=errors-only"], { cwd: root, stdio, env });
  mkdirSync(folder, { recursive: true });
  for (const [at, name] of names.entries()) {
    process.stderr.write(`Packing ${name}.tgz (${at + 1} of ${names.length})…\n`);
    const file = join(folder, `${name}.tgz`);
    rmSync(file, { force: true });
    execFileSync("pnpm", ["pack", "--out", file], { cwd: join(root, packages[name] ?? ""), stdio, env });
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

const { values, positionals } = parseArgs({ options: { into: { type: "string" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(kits, name));
const chosen = Object.entries(kits).filter(([name]) => positionals.length === 0 || positionals.includes(name));
if (values.into !== undefined) pack(resolve(values.into), inFolder);
else if (unknown.length > 0) {
  process.stderr.write(`There is no kit ${unknown.join(", ")}. The kits: ${Object.keys(kits).join(", ")}.\n`);
  process.exitCode = 2;
} else {
  const release = join(root, "release");
  pack(release, Object.assign({}, ...chosen.map(([, { packages }]) => packages)) as Record<string, string>);
  const text = chosen.map(([, { title, packages, install }]) => {
    const [file = ""] = Object.keys(packages);
    return `${title}:\n  ${install(quoted(join(release, `${file}.tgz`)))}\n`;
  });
  process.stdout.write(
    `The kits and the command line are not published yet. Install them from this clone.\n\n${text.join("\n")}`,
  );
}
