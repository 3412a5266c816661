import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export interface DataSettings {
  readonly env: { readonly DATA_DIR: string } & Readonly<Record<string, string>>;
  /** What is not used although it is set. */
  readonly notice: string | undefined;
}

/**
 * Where the zones keep their data. Both run in folders of their own, so a relative folder is one of the repository's root. The
 * local Slack forgets its workspace when it stops: what was kept beside it means nothing to the next one, nor to a real database.
 */
export function dataSettings(
  env: NodeJS.ProcessEnv,
  { localSlack, port }: { readonly localSlack: boolean; readonly port: number | string },
): DataSettings {
  if (!localSlack) return { env: { DATA_DIR: resolve(root, env["DATA_DIR"] || ".crosszone") }, notice: undefined };
  const folder = `.crosszone/local/${port}`;
  const isSet = Boolean(env["DATABASE_URL"] || env["DATABASE_URL_FILE"]);
  return {
    // Two starts on other ports at the same time have a folder each.
    env: { DATA_DIR: resolve(root, folder), DATABASE_URL: "", DATABASE_URL_FILE: "" },
    notice: isSet ? `DATABASE_URL is set, but is for real Slack: the local Slack's data is in ${folder}.` : undefined,
  };
}

/** Empties the folder of a local Slack, at the start of `pnpm dev`; a zone that restarts on edit finds its data again. */
export function emptyDataFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
