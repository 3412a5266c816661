import { createPublicKey } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type AuditKeyConfig, auditVariables, ownKeyPath, publicKeyText, readAuditKey } from "@crosszone/audit";
import { reachableRow } from "./peers.ts";
import { failed, type Finding, passed, type Row, skipped } from "./table.ts";

export interface AuditConfig extends AuditKeyConfig {
  readonly AUDIT_ANCHOR?: string | undefined;
}

/** Returns the rows of a zone's audit log: the key that signs it, and the place outside the zone that keeps its checkpoints. */
export function auditRows(config: AuditConfig, zone: string): Row[] {
  const { AUDIT_ANCHOR: place } = config;
  const anchor = {
    name: "audit anchor",
    variables: ["AUDIT_ANCHOR"],
    advice: "The zone must be able to write there, and an attacker of the zone must not be able to change it.",
  };
  const peer = { url: place ?? "", variable: "AUDIT_ANCHOR", whenDown: "Start the service that keeps checkpoints" };
  return [
    {
      name: "audit key",
      variables: [...Object.keys(auditVariables), "DATA_KEYS", "DATA_DIR"],
      probe: () => judgeAuditKey(config, zone),
      advice: "Make one with: openssl genpkey -algorithm ed25519",
    },
    place?.startsWith("https:")
      ? reachableRow(anchor, () => peer).row
      : { ...anchor, probe: () => judgeAnchorFolder(place) },
  ];
}

/** Shows the public key as `crosszone audit key` prints it, so that both can be compared. Creates no key. */
function judgeAuditKey(config: AuditConfig, zone: string): Finding {
  const { AUDIT_KEY_FILE: file, DATA_KEYS: keys, DATA_DIR: folder } = config;
  const own = ownKeyPath(folder, zone);
  const isDerived = file === undefined && keys?.[0] !== undefined;
  if (file === undefined && !isDerived && !existsSync(own)) return passed(`the first start creates ${own}`);
  try {
    const text = publicKeyText(createPublicKey(readAuditKey(config, zone)));
    return passed(`${text} ${isDerived ? "derived from the first of DATA_KEYS" : `in ${file ?? own}`}`);
  } catch (error) {
    return failed((error as Error).message);
  }
}

/** Returns the path, or its nearest existing parent. */
export const existing = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : existing(dirname(path));

function judgeAnchorFolder(folder: string | undefined): Finding {
  if (folder === undefined)
    return skipped("AUDIT_ANCHOR is not set: nothing outside this zone would show that the log was replaced");
  const found = existing(folder);
  try {
    accessSync(found, constants.W_OK);
  } catch {
    return failed(`${found} can't be written by this user`);
  }
  if (!statSync(found).isDirectory()) return failed(`${found} is not a folder`);
  return passed(found === folder ? `${folder} can be written` : `the first checkpoint creates ${folder}`);
}
