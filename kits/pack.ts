/** `pnpm kit:pack`: packs what is not published yet, and prints a line for each language that installs it from this clone. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const goKit = "github.com/crosszone/crosszone/kits/go";

/** Packs a built package into `release/`. Returns the path of the file, quoted for a shell. */
function pack(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const path = join(root, "release", `${String(name).replace("@", "").replace("/", "-")}-${String(version)}.tgz`);
  execFileSync("pnpm", ["pack", "--out", path], { cwd: join(root, folder), stdio: ["ignore", "ignore", "inherit"] });
  return quoted(path);
}

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

mkdirSync(join(root, "release"), { recursive: true });
const build = ["run", "build", "--filter=@crosszone/agent", "--filter=crosszone", "--output-logs=errors-only"];
execFileSync("turbo", build, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const lines = {
  "TypeScript and JavaScript": `npm install ${pack("packages/agent")}`,
  Python: `.venv/bin/pip install ${quoted(join(root, "kits/python"))}`,
  Go: `go mod edit -require=${goKit}@v0.0.0 -replace=${goKit}=${quoted(join(root, "kits/go"))}`,
  "The command line": `npm install --global ${pack("packages/cli")}`,
};
const text = Object.entries(lines).map(([language, line]) => `${language}:\n  ${line}\n`);
process.stdout.write(
  `The kits and the command line are not published yet. Install them from this clone.\n\n${text.join("\n")}`,
);
