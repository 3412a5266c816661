import { writeFile } from "node:fs/promises";
import { UsageError } from "../arguments/usage-error.ts";

/** Writes the file that an option names. Throws a `UsageError` when it can't be written. */
export async function writeReport(option: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}: can't write "${path}": ${reason}`, { cause: error });
  }
}
