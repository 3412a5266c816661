import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Every byte of every file of a folder, as text: a database with its log, which still holds what was deleted since. */
export async function readFolder(folder: string): Promise<string> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = files.map(async ({ name }) => (await readFile(join(folder, name))).toString("latin1"));
  return (await Promise.all(texts)).join("\n");
}
