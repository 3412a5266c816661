import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/**
 * Returns the zones' data settings, and a notice if a setting is ignored. Both run in their own folders, so a relative folder is resolved
 * from the repository's root. The local Slack keeps its workspace in a folder of its own, so it never mixes with a real database.
 */
export function dataSettings(
  env: NodeJS.ProcessEnv,
  { localSlack, port }: { readonly localSlack: boolean; readonly port: number | string },
): { env: { DATA_DIR: string; [name: string]: string }; notice: string | undefined } {
  if (!localSlack) return { env: { DATA_DIR: resolve(root, env["DATA_DIR"] || ".crosszone") }, notice: undefined };
  const folder = `.crosszone/local/${port}`;
  const isSet = Boolean(env["DATABASE_URL"] || env["DATABASE_URL_FILE"]);
  return {
    // Concurrent starts on different ports have separate folders.
    env: { DATA_DIR: resolve(root, folder), DATABASE_URL: "", DATABASE_URL_FILE: "" },
    notice: isSet ? `DATABASE_URL is only used with real Slack. The local Slack's data is in ${folder}.` : undefined,
  };
}

/** Creates the folder of a local Slack, readable by its owner only. Keeps everything of earlier starts, unless `fresh`. */
export function prepareDataFolder(folder: string, { fresh = false }: { readonly fresh?: boolean } = {}): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (fresh) for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
