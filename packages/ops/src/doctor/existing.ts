import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** Returns the path, or its nearest existing parent. */
export const existing = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : existing(dirname(path));
