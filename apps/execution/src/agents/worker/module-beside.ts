import { extname } from "node:path";

/** The URL of a module by its path from another, without the ending: that is `.ts` in the sources and `.js` in what is built of them. */
export function moduleBeside(importer: string, path: string): URL {
  return new URL(path + extname(new URL(importer).pathname), importer);
}
