import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../testkit/src/servers/listen.ts";
import type { DevEnvironment } from "./environment.ts";
import { isFree } from "./ports.ts";
import type { ZoneAccess } from "./zone-file.ts";

/** Where programs ask, and with which token. */
export interface AskAccess {
  readonly url: string;
  readonly token?: string | undefined;
}

const [usualPort, tokenName] = [4100, "dev"];

/**
 * Sets where programs ask: at ASK_PORT, else at a free port. Adds a file of settings that lets a token ask all agents. Returns
 * the URL.
 */
export async function prepareAsk(
  { env }: Pick<DevEnvironment, "env">,
  { own, folder }: { readonly own: NodeJS.ProcessEnv; readonly folder: string },
): Promise<string> {
  const port = own["ASK_PORT"] || String((await isFree(usualPort)) ? usualPort : await freePort());
  const url = `http://127.0.0.1:${port}`;
  Object.assign(env, { ASK_PORT: port, ASK_URL: url });
  env["EXECUTION_FILE"] = [programsFile(folder), env["EXECUTION_FILE"]].filter(Boolean).join(",");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  allow(folder, readKept(folder).name ?? tokenName);
  return url;
}

/** Returns the token of earlier starts if it still works, otherwise a new one; undefined when the admin token may not create one. */
export async function keepAskToken(folder: string, { url, token: admin }: ZoneAccess): Promise<string | undefined> {
  const send = (body?: object): Promise<Response> =>
    fetch(`${url}/api/v1/tokens`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const isValid = async (wanted: string | undefined): Promise<boolean> => {
    const { tokens = [] } = (await (await send()).json()) as { readonly tokens?: readonly ListedToken[] };
    return tokens.some(({ name, expires_at = "" }) => name === wanted && !(Date.parse(expires_at) <= Date.now()));
  };
  const kept = readKept(folder);
  if (kept.token !== undefined && (await isValid(kept.name))) return kept.token;
  // The name of a token that expired or was revoked can't be used again.
  for (const name of [tokenName, `${tokenName}-${randomBytes(3).toString("hex")}`]) {
    const response = await send({ name, scopes: ["ask"], expires_in: 90 * 86_400 });
    if (response.status !== 201) continue;
    const { token } = (await response.json()) as { readonly token: string };
    writeFileSync(join(folder, fileName), `${name} ${token}\n`, { mode: 0o600 });
    allow(folder, name);
    return token;
  }
  return undefined;
}

/** A token that is not revoked. */
interface ListedToken {
  readonly name: string;
  readonly expires_at?: string;
}

const fileName = "ask-token";

const programsFile = (folder: string): string => join(folder, "programs.yaml");

/** Lets the token with this name ask all agents. The zone reads the file again after each write. */
function allow(folder: string, name: string): void {
  const path = programsFile(folder);
  const askers = `programs:\n  askers:\n    - { token: ${name}, agents: ["*"], open_tasks: 100 }\n`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== askers) writeFileSync(path, askers);
}

function readKept(folder: string): { readonly name?: string | undefined; readonly token?: string | undefined } {
  try {
    const [, name, token] = /^([\w.-]+) (xz_\S+)$/.exec(readFileSync(join(folder, fileName), "utf8").trim()) ?? [];
    return { name, token };
  } catch {
    return {};
  }
}
