import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ConfigError } from "@crosszone/service-kit";

/** Resolves with the text of a file that a variable names. Rejects with a `ConfigError` that names the variable. */
export async function readNamedFile(path: string, variable: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    throw new ConfigError([{ name: variable, wrong: `names a file that cannot be read (${code})` }]);
  }
}

/**
 * Resolves with the certificates of a file that a variable names, PEM. Rejects if it has none: a connection would silently ignore the file.
 */
export async function readCertificates(path: string, variable: string): Promise<string> {
  const text = await readNamedFile(path, variable);
  try {
    void new X509Certificate(text);
    return text;
  } catch {
    throw new ConfigError([{ name: variable, wrong: "names a file without a certificate in PEM" }]);
  }
}
