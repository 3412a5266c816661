import { readFile } from "node:fs/promises";
import { ConfigError } from "@crosszone/service-kit";

/** The text of a file that a variable names. Rejects with a `ConfigError` that names the variable. */
export async function readNamedFile(path: string, variable: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    throw new ConfigError([{ name: variable, wrong: `names a file that cannot be read (${code})` }]);
  }
}
