import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the contract, `schemas`. */
export const ourSchemas: string = resolve(import.meta.dirname, "../../../schemas");

/** Reads a JSON file of the contract; the error of a broken one names the file. */
export function readJson(folder: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, path), "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
