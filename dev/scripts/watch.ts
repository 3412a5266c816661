/** `./crosszone dev` of one app: runs a module, and restarts it when a source of the app or of a workspace package that it needs changes. */
import process from "node:process";
import { sourceFolders } from "./dev/source-folders.ts";

// Plain `--watch` also watches node_modules. pnpm shares those files between projects, and an installation elsewhere touches them.
const watched = sourceFolders(process.cwd()).map((folder) => `--watch-path=${folder}`);
const options = ["--conditions=@crosszone/source", ...watched, ...process.argv.slice(2)];
process.execve?.(process.execPath, [process.execPath, ...options]);
