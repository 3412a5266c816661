/**
 * Notes which files of the repository a process of a test run loads or opens. Node preloads it in each worker of the run, and, by `NODE_OPTIONS`, in the
 * programs and threads that a test starts, of any Node from 18 on. A note is the line `<opener>\t<path>` in the file that `OPENED_FILES` names;
 * the opener is the module that asked, since modules keep what they read, and a worker's test files share them.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import module, { syncBuiltinESMExports } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const root = resolve(dirname(self), "../..");
const { appendFileSync, statSync } = fs;

const isOurs = (path) =>
  (path === root || path.startsWith(root + sep)) && !/[\\/](node_modules|\.git|\.turbo)([\\/]|$)/.test(path);

/** The last file of notes, and what stands in it. */
let notes;
let noted = new Set();

function note(opener, path) {
  const { OPENED_FILES: file } = process.env;
  if (file === undefined || !isOurs(path)) return;
  if (file !== notes) [notes, noted] = [file, new Set()];
  const line = `${opener}\t${path}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(file, line);
}

/** Returns the path of the module that called `fs`: the nearest one of the repository. */
function openerOf() {
  const before = { prepareStackTrace: Reflect.get(Error, "prepareStackTrace"), stackTraceLimit: Error.stackTraceLimit };
  Error.stackTraceLimit = 50;
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? "");
  const { stack } = new Error("opener");
  Object.assign(Error, before);
  const paths = stack.map((name) => (name.startsWith("file:") ? fileURLToPath(name) : name));
  return paths.find((path) => path !== self && isOurs(path)) ?? "";
}

/** What does not exist is noted too: it may come to be. */
function watch(target, names) {
  for (const name of names) {
    const original = target[name];
    if (typeof original !== "function") continue;
    target[name] = Object.assign(function open(path, ...rest) {
      const isPath = typeof path === "string" || path instanceof URL;
      const asked = isPath ? (path instanceof URL ? fileURLToPath(path) : resolve(path)) : undefined;
      if (asked !== undefined && isOurs(asked)) note(openerOf(), asked);
      return original.call(this, path, ...rest);
    }, original);
  }
}

const calls = ["access", "copyFile", "cp", "lstat", "open", "opendir", "readFile", "readdir", "stat"];
watch(fs, [...calls, ...calls.map((name) => `${name}Sync`), "createReadStream", "existsSync"]);
watch(fs.promises, calls);

module.registerHooks?.({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    if (found.url.startsWith("file:")) note("", fileURLToPath(found.url));
    return found;
  },
});

// What this process starts is watched too, also where it gets an environment of its own.
const preload = `--import=${import.meta.url}`;
if (!(process.env.NODE_OPTIONS ?? "").includes(preload))
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${preload}`.trim();

/** Of a program that is not Node nobody knows what it opens: all below its folder, and below what it is given. */
function noteProgram(file, args, cwd) {
  if (/[\\/]?node(\.exe)?$/.test(file)) return;
  const folder = resolve(cwd);
  for (const word of [folder, ...args]) {
    const path = typeof word === "string" && !word.startsWith("-") ? resolve(folder, word) : "";
    if (!isOurs(path)) continue;
    try {
      note("", statSync(path).isDirectory() ? join(path, "**") : path);
    } catch {
      // A word that is no path.
    }
  }
}

const { spawn } = childProcess.ChildProcess.prototype;
childProcess.ChildProcess.prototype.spawn = function spawnWatched(options) {
  const { NODE_OPTIONS, OPENED_FILES } = process.env;
  noteProgram(options.file, options.args ?? [], String(options.cwd ?? process.cwd()));
  const given = options.envPairs ?? [];
  const added = Object.entries({ NODE_OPTIONS, OPENED_FILES })
    .filter(([name, value]) => value !== undefined && !given.some((pair) => pair.startsWith(`${name}=`)))
    .map(([name, value]) => `${name}=${value}`);
  return spawn.call(this, { ...options, envPairs: [...given, ...added] });
};
for (const name of ["execFileSync", "execSync", "spawnSync"]) {
  const original = childProcess[name];
  childProcess[name] = function startSync(file, ...rest) {
    const options = rest.find((each) => typeof each === "object" && !Array.isArray(each)) ?? {};
    noteProgram(file, Array.isArray(rest[0]) ? rest[0] : [], String(options.cwd ?? process.cwd()));
    return original.call(this, file, ...rest);
  };
}
syncBuiltinESMExports();
