import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevEnvironment } from "./environment.ts";

/** A zone's API address and token. */
export interface ZoneAccess {
  readonly url: string;
  readonly token: string;
  /** The token of the zone link. */
  readonly linkToken?: string;
  /** URL of the verification zone's read-only API. */
  readonly verificationUrl?: string;
}

/** Returns the access to the API that `./crosszone dev` starts; undefined when its tokens come from a file. */
export function zoneAccess({ services, env }: DevEnvironment, own: NodeJS.ProcessEnv): ZoneAccess | undefined {
  const url = services.find(({ name }) => name === "execution")?.url;
  const token = ((env["ADMIN_TOKENS"] || own["ADMIN_TOKENS"] || "").split(",")[0] ?? "").trim();
  const verificationUrl = `http://127.0.0.1:${env["VERIFICATION_VIEW_PORT"]}`;
  return url === undefined || token === ""
    ? undefined
    : { url, token, linkToken: env["EXECUTION_TOKEN"], verificationUrl };
}

/** Stores a running zone's access for `./crosszone`. Returns a function that deletes it. */
export const writeZoneFile = (folder: string, access: ZoneAccess): (() => void) =>
  writePrivateFile(pathIn(folder), access);

/** Writes a file that only its owner can read. Returns a function that deletes it. */
export function writePrivateFile(path: string, value: unknown): () => void {
  // Deleted first: an existing file would keep its mode.
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Returns the running zone's access in a folder; undefined if none is running. */
export function readZoneFile(folder: string): ZoneAccess | undefined {
  try {
    const access = JSON.parse(readFileSync(pathIn(folder), "utf8")) as Partial<ZoneAccess>;
    const { url, token } = access;
    return typeof url === "string" && typeof token === "string" ? { ...access, url, token } : undefined;
  } catch {
    return undefined;
  }
}

const pathIn = (folder: string): string => join(folder, "cli.json");
