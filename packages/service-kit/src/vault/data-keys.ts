import { createSecretKey } from "node:crypto";
import type { ConfigProblem } from "../config/config-error.ts";
import { list } from "../config/kinds.ts";
import { groupOf, variable, type ConfigValues, type OptionalVariable } from "../config/definition.ts";
import { createVault, type Vault, type VaultKey } from "./vault.ts";

const expected =
  "id:key, several with commas, each id once; a key is the base64 of 32 random bytes, made with: openssl rand -base64 32";

/** The variable with the keys that secrets in the database are encrypted with, for the configuration of an app. */
export const dataKeysVariables: Readonly<{ DATA_KEYS: OptionalVariable<string[]> }> = groupOf("Store data", {
  DATA_KEYS: variable(list().optional().describe(expected), { secret: true })`
    Keys that encrypt secrets in the database. The first key encrypts; all keys decrypt. Without keys, the zone stores
    no secrets.`,
});

type Keys = Partial<ConfigValues<typeof dataKeysVariables>>;

/** Returns the problems of the keys by position. Shows neither keys nor values in the place of ids. */
export function dataKeysProblems({ DATA_KEYS: items }: Keys): ConfigProblem[] {
  if (items === undefined) return [];
  const read = items.map(readKey);
  const faults = read.flatMap((key, at) => (typeof key === "string" ? [`item ${at + 1} ${key}`] : []));
  const ids = items.map((item) => item.split(":", 1)[0]);
  const twice = ids.flatMap((id, at) => (ids.indexOf(id) < at ? [`item ${at + 1} has the id of an earlier one`] : []));
  if (items.length === 0) faults.push("it holds no key");
  return [...faults, ...twice].map((fault) => ({ name: "DATA_KEYS", wrong: `is not valid: ${fault}`, expected }));
}

/** Returns the vault of these keys; undefined without keys. Expects valid keys. */
export function vaultOf({ DATA_KEYS: items = [] }: Keys): Vault | undefined {
  const [first, ...rest] = items.map(readKey).filter((key) => typeof key !== "string");
  return first && createVault([first, ...rest]);
}

/** The key, or its problem. */
function readKey(item: string): VaultKey | string {
  const [, id = "", text = ""] = /^([^:]*):(.*)$/.exec(item) ?? [];
  if (!item.includes(":")) return "has no id";
  if (!/^[\w-]{1,40}$/.test(id)) return "has an id that is not 1 to 40 letters, digits, - or _";
  if (!/^[\w+/-]*={0,2}$/.test(text)) return "has a key that is not base64";
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32) return `has a key of ${bytes.length} bytes instead of 32`;
  return { id, key: createSecretKey(bytes) };
}
