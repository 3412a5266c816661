import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevEnvironment } from "./environment.ts";

/** Where the API of a zone is, and a token for it. */
export interface ZoneAccess {
  readonly url: string;
  readonly token: string;
  /** The token of the zone link. */
  readonly linkToken?: string | undefined;
}

/** How to use the API of what `pnpm dev` starts; nothing when its tokens are in a file of somebody's own. */
export function zoneAccess({ services, env }: DevEnvironment, own: NodeJS.ProcessEnv): ZoneAccess | undefined {
  const url = services.find(({ name }) => name === "execution")?.url;
  const [token = ""] = (env["AGENT_ADMIN_TOKENS"] || own["AGENT_ADMIN_TOKENS"] || "").split(",");
  return url === undefined || token.trim() === ""
    ? undefined
    : { url, token: token.trim(), linkToken: env["EXECUTION_TOKEN"] };
}

/** Tells `pnpm crosszone` of a zone that is up, in a file for nobody else's eyes. What it gives takes the file away. */
export function writeZoneFile(folder: string, access: ZoneAccess): () => void {
  const path = pathIn(folder);
  // Made anew: a file that is there keeps its mode.
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** The zone that is told of in a folder; nothing when none is up. */
export function readZoneFile(folder: string): ZoneAccess | undefined {
  try {
    const { url, token, linkToken } = JSON.parse(readFileSync(pathIn(folder), "utf8")) as Partial<ZoneAccess>;
    return typeof url === "string" && typeof token === "string" ? { url, token, linkToken } : undefined;
  } catch {
    return undefined;
  }
}

const pathIn = (folder: string): string => join(folder, "cli.json");
