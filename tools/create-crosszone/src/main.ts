/** `create-crosszone my-team`: creates the folder, or upgrades it, and installs its packages. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { createFolder, CreateError, hasNode, runsZones, upgradeFolder } from "./create.ts";

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8")) as {
  version: string;
};

const program = new Command("create-crosszone")
  .usage("[options] <folder>")
  .description("Creates a folder with an agent, a workflow and all that runs them, and installs its packages.")
  .argument("[folder]")
  .option("--no-install", "don't install the packages")
  .option("--upgrade", "replace the packages of Crosszone in a folder that exists; keep all else")
  .version(version, "--version", "print the version")
  .showHelpAfterError()
  .exitOverride()
  .action((path: string | undefined, options: Options) => {
    if (path === undefined) program.error("Expected the name of one folder.");
    else process.exitCode = create(path, options);
  });

interface Options {
  readonly install: boolean;
  readonly upgrade?: boolean;
}

/** Creates or upgrades the folder. Returns the exit code: 1 when npm could not install the packages. */
function create(path: string, { install, upgrade }: Options): 0 | 1 {
  const folder = upgrade ? upgradeFolder(path) : createFolder(path);
  const shown = relative(process.cwd(), folder) || ".";
  process.stdout.write(`${upgrade ? "Upgraded" : "Created"} ${shown}\n`);
  if (!runsZones && !hasNode)
    process.stdout.write(`\nnpm start needs Node.js 26.1 or later, and this is ${process.versions.node}.\n`);
  const next = (commands: readonly string[]): string => commands.map((command) => `  ${command}\n`).join("");
  if (!install) {
    process.stdout.write(`\nNext:\n${next([`cd ${shown}`, "npm install", "npm start"])}`);
    return 0;
  }
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
  program.parse();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof CreateError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
