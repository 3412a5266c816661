// A file here that changed, but has the same version, counts as installed for npm. `npm install` runs this afterwards.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const digestOf = (file) => `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
const installed = "node_modules/.package-lock.json";
// Other package managers have none.
const { packages } = existsSync(installed) ? JSON.parse(readFileSync(installed, "utf8")) : { packages: {} };
const changed = Object.values(packages)
  .map(({ resolved = "", integrity }) => ({ file: resolved.replace(/^file:/, "./"), integrity }))
  .filter(({ file, integrity }) => file.startsWith("./packages/") && existsSync(file) && digestOf(file) !== integrity)
  .map(({ file }) => file);
if (changed.length > 0) {
  console.log(`Changed since they were installed: ${changed.join(", ")}. Installing them again.`);
  const options = { stdio: "inherit", shell: process.platform === "win32" };
  process.exitCode = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...changed], options).status ?? 1;
}
