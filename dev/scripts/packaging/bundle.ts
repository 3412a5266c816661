/**
 * Puts the packages of this repository, which are not published, into `bundle`. Packages from npm stay dependencies: npm updates them, and
 * their licenses come with them.
 */
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";

const packageDir = resolve(import.meta.dirname, "../../../tools/cli");
const dir = resolve(packageDir, "bundle");

rmSync(dir, { recursive: true, force: true });
await build({
  input: resolve(packageDir, "dist/main.js"),
  platform: "node",
  external: (id) => !/^(?:[./#]|@crosszone\/)/.test(id),
  // The packages do nothing when they are loaded.
  treeshake: { moduleSideEffects: (id) => id.endsWith("/dist/main.js") },
  output: { dir, format: "esm" },
});
