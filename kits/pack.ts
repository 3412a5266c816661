/**
 * `./crosszone kit:pack`: packs what is not published yet into `release/`, and prints a line for each that installs it from this clone. With
 * a folder as its argument: packs what a new folder of create-crosszone installs into that folder.
 */
import { execFileSync, type StdioOptions } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const stdio: StdioOptions = ["ignore", "ignore", "inherit"];
const goKit = "github.com/crosszone/crosszone/kits/go";

/** Builds packages, given with their folders, and packs them into a folder. Returns a function from the name of a file to its path, quoted for a shell. */
function pack(folder: string, packages: Readonly<Record<string, string>>): (file: string) => string {
  const filters = Object.values(packages).map((path) => `--filter=./${path}`);
  execFileSync("turbo", ["run", "build", ...filters, "--output-logs=errors-only"], { cwd: root, stdio });
  rmSync(folder, { recursive: true, force: true });
  const pathOf = (file: string): string => join(folder, `${file}.tgz`);
  for (const [file, path] of Object.entries(packages))
    execFileSync("pnpm", ["pack", "--out", pathOf(file)], { cwd: join(root, path), stdio });
  return (file) => quoted(pathOf(file));
}

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

const installed = { "crosszone-agent": "tools/agent", crosszone: "tools/cli", "crosszone-local": "tools/local" };
const [folder] = process.argv.slice(2);
if (folder) pack(resolve(folder), installed);
else {
  const others = { "crosszone-contracts": "packages/contracts", "create-crosszone": "tools/create-crosszone" };
  const fileOf = pack(join(root, "release"), { ...installed, ...others });
  const lines = {
    "TypeScript and JavaScript": `npm install ${fileOf("crosszone-agent")}`,
    Python: `.venv/bin/pip install ${quoted(join(root, "kits/python"))}`,
    Go: `go mod edit -require=${goKit}@v0.0.0 -replace=${goKit}=${quoted(join(root, "kits/go"))}`,
    "The command line": `npm install --global ${fileOf("crosszone")}`,
    "A new folder with all of it": `npx -y -p ${fileOf("create-crosszone")} create-crosszone my-team`,
  };
  const text = Object.entries(lines).map(([language, line]) => `${language}:\n  ${line}\n`);
  process.stdout.write(
    `The kits and the command line are not published yet. Install them from this clone.\n\n${text.join("\n")}`,
  );
}
