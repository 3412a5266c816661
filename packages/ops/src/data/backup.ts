import { createHash, createPublicKey } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { auditVariables, ownKeyPath, publicKeyText, readAuditKey, restoredMark } from "@crosszone/audit";
import {
  databaseUrlOf,
  databaseVariables,
  dataKeysVariables,
  type Environment,
  loadConfig,
} from "@crosszone/service-kit";
import { closeSqliteLog, copySqlite } from "@crosszone/sql";
import { proofsOf } from "./data-keys.ts";
import { DataCommandError, storageOf, type ZoneData } from "./zone-data.ts";

/** A zone, and the folder of its backup. Both zones can share one. */
interface BackupOf {
  readonly zone: string;
  readonly env: Environment;
  readonly folder: string;
  readonly print: (line: string) => void;
  readonly open: () => Promise<ZoneData>;
}

interface Manifest {
  readonly at: string;
  /** Of the SQLite file; absent if pg_dump makes the copy. */
  readonly sha256?: string;
  readonly public_key: string;
  /** By the ids of DATA_KEYS, what only each key gives. */
  readonly data_keys: Readonly<Record<string, string>>;
}

/** Copies a zone's database and the key of its audit log. The zone can keep running. Overwrites nothing. */
export async function createBackup(backup: BackupOf): Promise<void> {
  const { zone, folder, print } = backup;
  const { checks, file, keyFile, manifest, copy, keyCopy, publicKey } = locate(backup);
  // Throws if there is no database.
  storageOf(backup.env, zone);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (fs.existsSync(manifest)) throw new DataCommandError(`${manifest} already exists. Choose another folder.`);
  const at = new Date().toISOString();
  if (file !== undefined) {
    writePrivate(copy, "");
    // The next start finds the mark, however the copy was put back.
    copySqlite(file, copy, { sql: "update audit_log set origin = origin || ?", values: [restoredMark(at)] });
  }
  const sha256 = file === undefined ? undefined : await digestOf(copy);
  const content = { at, sha256, public_key: publicKey(), data_keys: checks };
  if (keyFile !== undefined) writePrivate(keyCopy, fs.readFileSync(keyFile));
  // Last, so that a folder with it is complete.
  writePrivate(manifest, `${JSON.stringify(content satisfies Manifest, undefined, 2)}\n`);
  print(`${zone}: backed up to ${folder}.`);
  if (file === undefined) print(`Run too: pg_dump -Fc -n ${zone} -f ${folder}/${zone}.dump "$DATABASE_URL"`);
  const ids = Object.keys(checks).join(", ");
  if (ids !== "") print(`The backup has no DATA_KEYS, and needs these. Store them elsewhere: ${ids}`);
}

/**
 * Puts a backup in the place of a zone's data, which is kept by another name. Killed at any moment, it leaves the old data or the new. On
 * PostgreSQL, pg_restore has put back the tables before.
 */
export async function restoreBackup(backup: BackupOf): Promise<void> {
  const { zone, print, open } = backup;
  const { checks, file, keyFile, isOwnKey, manifest, copy, keyCopy, publicKey } = locate(backup);
  if (!fs.existsSync(manifest)) throw new DataCommandError(`No backup of the ${zone} zone: ${manifest} is missing.`);
  const { at, sha256, public_key, data_keys } = JSON.parse(fs.readFileSync(manifest, "utf8")) as Manifest;
  const missing = Object.keys(data_keys).filter((id) => checks[id] !== data_keys[id]);
  if (missing.length > 0)
    throw new DataCommandError(
      `DATA_KEYS of the ${zone} zone lacks keys of the backup: ${missing.join(", ")}. Add them, or remove those that are lost from ${manifest}.`,
    );
  if ((file === undefined) !== (sha256 === undefined))
    throw new DataCommandError(`The backup of the ${zone} zone is of the other kind of database: check DATABASE_URL.`);
  const suffix = `.before-${new Date().toISOString().replaceAll(":", "")}`;
  if (file !== undefined) {
    copyFile(copy, `${file}.restoring`);
    if ((await digestOf(`${file}.restoring`)) !== sha256)
      throw new DataCommandError(`${copy} is damaged: it is not what the backup wrote. Use another backup.`);
    releaseDatabase(file, suffix);
  }
  if (keyFile !== undefined && isOwnKey && fs.existsSync(keyCopy)) {
    copyFile(keyCopy, `${keyFile}.restoring`);
    replace(keyFile, suffix);
  }
  if (file !== undefined) replace(file, suffix);
  else {
    const data = await open();
    await data.markRestored(at);
    await data.close();
  }
  print(`${zone}: restored the backup of ${at}. What it replaced is kept in files that end in ${suffix}.`);
  if (publicKey() !== public_key)
    print(`The audit log of this backup needs the key ${public_key}: set AUDIT_KEY_FILE to the file that has it.`);
}

const variables = { ...databaseVariables, ...dataKeysVariables, ...auditVariables };

function locate({ zone, env, folder }: BackupOf) {
  const { values } = loadConfig(variables, env);
  const { AUDIT_KEY_FILE, DATA_KEYS, DATA_DIR } = values;
  const [, file] = /^sqlite:(.*)/s.exec(databaseUrlOf(values, zone)) ?? [];
  return {
    checks: Object.fromEntries(proofsOf(DATA_KEYS).map(({ id, proof }) => [id, proof])) as Manifest["data_keys"],
    file,
    /** With the key of the audit log; undefined if DATA_KEYS give it. */
    keyFile: AUDIT_KEY_FILE ?? (DATA_KEYS === undefined ? ownKeyPath(DATA_DIR, zone) : undefined),
    isOwnKey: AUDIT_KEY_FILE === undefined,
    manifest: join(folder, `${zone}.backup.json`),
    copy: join(folder, `${zone}.sqlite`),
    keyCopy: ownKeyPath(folder, zone),
    publicKey: () => publicKeyText(createPublicKey(readAuditKey(values, zone))),
  };
}

/** Moves the log of a database's file into it, or aside if it is damaged. Throws a `DataCommandError` while a process has it open. */
function releaseDatabase(file: string, suffix: string): void {
  if (!closeSqliteLog(file)) throw new DataCommandError(`A process has ${file} open. Stop the zone, then restore.`);
  for (const log of ["-wal", "-shm"]) if (fs.existsSync(file + log)) fs.renameSync(file + log, file + suffix + log);
}

/** A file has its old content or the new at every moment. */
function replace(path: string, suffix: string): void {
  if (fs.existsSync(path)) fs.linkSync(path, path + suffix);
  fs.renameSync(`${path}.restoring`, path);
}

function copyFile(from: string, to: string): void {
  fs.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  fs.copyFileSync(from, to);
  fs.chmodSync(to, 0o600);
  fs.appendFileSync(to, "", { flush: true });
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(fs.createReadStream(path), digest);
  return digest.digest("hex");
}

const writePrivate = (path: string, content: string | Uint8Array): void =>
  fs.writeFileSync(path, content, { mode: 0o600, flag: "wx", flush: true });
