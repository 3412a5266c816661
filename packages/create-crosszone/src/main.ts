/** `npm create crosszone my-team`: creates the folder and installs its packages. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createFolder, CreateError } from "./create.ts";

const help = `Usage: npm create crosszone FOLDER

Creates a folder with an agent, a workflow and all that runs them, and installs its packages.

  --no-install   does not install the packages
  --version      prints the version
`;

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8")) as {
  version: string;
};

/** Returns the exit code: 0 when done, 1 when not, 2 when called in a way that is not understood. */
function main(): 0 | 1 | 2 {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
      "no-install": { type: "boolean" },
    },
  });
  if (values.help) return (process.stdout.write(help), 0);
  if (values.version) return (process.stdout.write(`${version}\n`), 0);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0)
    return (process.stderr.write(`Expected the name of one folder.\n\n${help}`), 2);
  const folder = createFolder(path, version);
  const shown = relative(process.cwd(), folder) || ".";
  process.stdout.write(`Created ${shown}\n`);
  const next = (commands: readonly string[]): string => commands.map((command) => `  ${command}\n`).join("");
  if (values["no-install"] === true)
    return (process.stdout.write(`\nNext:\n${next([`cd ${shown}`, "npm install", "npm start"])}`), 0);
  const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (installed.status !== 0) {
    process.stderr.write(
      `\nnpm could not install the packages; the lines above say why. Check the network and the registry, then:\n${next([`cd ${shown}`, "npm install", "npm start"])}`,
    );
    return 1;
  }
  process.stdout.write(`\nNext:\n${next([`cd ${shown}`, "npm start"])}`);
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true;
  if (!(error instanceof CreateError) && !isUsage) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
