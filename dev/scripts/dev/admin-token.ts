import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevEnvironment } from "./environment.ts";

/**
 * Reuses the admin token of an earlier start from the data folder, or stores the new one there, readable by its owner only. So open run
 * pages and shells with CROSSZONE_TOKEN keep working. Does not change tokens set in the environment.
 */
export function keepAdminToken({ env }: Pick<DevEnvironment, "env">, folder: string): void {
  const { ADMIN_TOKENS: minted } = env;
  if (minted === undefined) return;
  const path = join(folder, "admin-token");
  const kept = readToken(path);
  if (kept !== undefined) {
    env["ADMIN_TOKENS"] = kept;
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${minted}\n`, { mode: 0o600 });
}

function readToken(path: string): string | undefined {
  try {
    const token = readFileSync(path, "utf8").trim();
    return /^[\w-]{43}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
