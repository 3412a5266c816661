import { createPublicKey } from "node:crypto";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type AuditKeyConfig, auditVariables, ownKeyPath, publicKeyText, readAuditKey } from "@crosszone/audit";
import { databaseUrlOf, readReadiness, type ListeningAddress } from "@crosszone/service-kit";
import { tracesEndpoint, type TracingConfig, tracingVariables } from "@crosszone/service-kit/tracing";
import {
  connectionError,
  inspectDatabase,
  type Inspection,
  type Migrations,
  outageOf,
  type SealedTable,
  tablesProblem,
} from "@crosszone/sql";
import { type FoundKey, isLiveKey, keysQuery, missingKey, proofsOf } from "../data/data-keys.ts";
import { describeDatabase } from "../data/zone-data.ts";
import { reachableRow } from "./peers.ts";
import { failed, failedBy, type Finding, passed, type DoctorRow, skipped, warned } from "./run-doctor.ts";

export interface AuditConfig extends AuditKeyConfig {
  readonly AUDIT_ANCHOR?: string | undefined;
}

/** Returns the rows of a zone's audit log: the key that signs it, and the place outside the zone that keeps its checkpoints. */
export function auditRows(config: AuditConfig, zone: string): DoctorRow[] {
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
const existing = (path: string): string =>
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

/** The variables that both zones have. */
interface ZoneConfig extends Partial<TracingConfig>, AuditConfig {
  readonly DATABASE_URL: string | undefined;
  readonly DATA_DIR: string;
  readonly DATA_KEYS?: readonly string[];
}

interface ZoneRowsOptions {
  readonly zone: "verification" | "execution";
  readonly migrations: Migrations;
  readonly tables: readonly SealedTable[];
  /** Returns where its process listens on this machine, if one runs here. */
  readonly listensAt: () => ListeningAddress;
}

/** Returns the rows that every zone has: its database, its keys, its audit log, its traces, and what its running process says. */
export function zoneRows(config: ZoneConfig, options: ZoneRowsOptions): DoctorRow[] {
  const { zone, migrations, tables, listensAt } = options;
  const [traces, dataKeys] = ["OTEL_EXPORTER_OTLP_ENDPOINT", config.DATA_KEYS];
  const collector = tracesEndpoint(config);
  const own = proofsOf(dataKeys);
  let keys: readonly FoundKey[] = [];
  const inspect = async (url: string): Promise<Inspection | undefined> => {
    const engine = url.startsWith("sqlite:") ? "sqlite" : "postgres";
    const read = keysQuery({ engine, tables, own, most: mostCounted });
    const inspected = await inspectDatabase({ url, schema: zone, migrations, read });
    keys = (inspected?.rows ?? []) as unknown as readonly FoundKey[];
    return inspected;
  };
  const tracesRow = { name: "traces reachable", variables: Object.keys(tracingVariables) };
  return [
    ...databaseRows(() => databaseUrlOf(config, zone), inspect),
    {
      name: "data keys",
      variables: ["DATA_KEYS"],
      probe: () => judgeMissing(keys, own) ?? judgeDataKeys(dataKeys, keys),
      advice: "Create one with: openssl rand -base64 32",
    },
    ...auditRows(config, zone),
    // A zone works without its collector, and drops its traces.
    collector === undefined
      ? { ...tracesRow, probe: () => skipped(`${traces} is not set: no traces are sent`) }
      : reachableRow(tracesRow, () => ({ url: collector, variable: traces, whenDown: "Start the collector" })).row,
    { name: "running zone", probe: () => judgeRunning(listensAt()) },
  ];
}

/** The process knows more than can be seen from outside, such as that its file is not the one at the path. */
async function judgeRunning(address: ListeningAddress): Promise<Finding> {
  const state = await readReadiness(address);
  if (state === undefined) return skipped("no process of the zone answers on this machine");
  const wrong = Object.entries(state.checks).filter(([, { ok }]) => !ok);
  const notes = Object.entries(state.checks).flatMap(([name, { ok, reason }]) =>
    ok && reason ? `${name}: ${reason}` : [],
  );
  if (state.ready && notes.length > 0)
    return warned(
      `its process on this machine is ready; ${notes.join("; ")}`,
      "Its log says why: settings_not_usable.",
    );
  if (state.ready) return passed("its process on this machine is ready");
  return failed(
    `its process is not ready: ${wrong.map(([name, { reason = "failed" }]) => `${name}: ${reason}`).join("; ")}`,
  );
}

/** Returns the rows of the database: its connection, its tables, its disk. */
export function databaseRows(
  url: () => string,
  inspect: (url: string) => Promise<Inspection | undefined>,
): DoctorRow[] {
  let inspected: Inspection | undefined;
  const variables = ["DATABASE_URL", "DATA_DIR"];
  const fileOf = (): string | undefined => /^sqlite:(.*)$/.exec(url())?.[1];
  const needs = ["database reachable"];
  return [
    {
      name: "database reachable",
      variables,
      probe: async () => {
        const at = describeDatabase(url());
        try {
          inspected = await inspect(url());
        } catch (error) {
          const { says, todo } = reasonOf(error);
          const code = fileOf() === undefined ? "server" : "file";
          return todo === undefined ? failedBy(code, `${at}: ${says}`) : failed(`${at}: ${says}`, todo);
        }
        if (inspected === undefined) return passed(`${at} does not exist yet: the first start creates it`);
        const says = `${inspected.version} at ${at.replace(/^\S+ /, "")}${inspected.tls === true ? ", over TLS" : ""}`;
        if (inspected.tooOld) return failedBy("old", `${says} is too old`);
        const seconds = Math.round(Math.abs(inspected.clockAheadMs ?? 0) / 1_000);
        if (seconds < 30) return passed(says);
        return { ...warned(`${says}; its clock and that of this machine are ${seconds} s apart`), code: "clock" };
      },
      advice: {
        file: "Check that this user can read the file, and that it is a SQLite database. Otherwise restore a backup.",
        server:
          "Check DATABASE_URL: host, port, user, password, database, sslmode. Check that the server accepts this machine.",
        old: "Use PostgreSQL 14 or later.",
        clock: "Synchronize both clocks by NTP: processes of a zone share out work by time.",
      },
    },
    { name: "database tables", needs, probe: () => judgeTables(inspected) },
    {
      name: "database disk",
      variables,
      probe: () => {
        const file = fileOf();
        return file === undefined ? skipped("not used: DATABASE_URL is set") : judgeSpace(existing(dirname(file)));
      },
      advice: "Free up space. With a full disk, the zone can't accept messages.",
    },
  ];
}

/** Only the code: a message of the driver can contain the user name. */
function reasonOf(error: unknown): { readonly says: string; readonly todo?: string | undefined } {
  const { code, errcode = code, message = "" } = error as { code?: unknown; errcode?: unknown; message?: string };
  const coded = typeof errcode === "string" || typeof errcode === "number" ? errcode : "no code";
  const outage = outageOf(connectionError(error));
  if (outage !== undefined) return { says: `${outage.what} (${coded})`, todo: outage.todo };
  return { says: /on a network/.test(message) ? message : `cannot be reached (${coded})` };
}

function judgeTables(inspected: Inspection | undefined): Finding {
  if (inspected === undefined) return passed("the first start creates them");
  const { done, pending, added, unknown } = inspected;
  const problem = tablesProblem(inspected);
  if (done === 0 && unknown.length > 0)
    return failed("a build before the first release made them", "Delete the folder, or the schema of PostgreSQL.");
  if (unknown.length > 0)
    return failed(
      `a newer version changed them, and this version can't work with that: ${unknown.join(", ")}`,
      "Use that version or a later one. To go back, restore a backup from before the upgrade.",
    );
  if (problem !== undefined) return failed(problem.what, problem.todo);
  if (pending.length > 0) return passed(`the next start migrates or checks them: ${pending.join(", ")}`);
  const newer = added.length === 0 ? "" : `; this version also works with what a newer one added: ${added.join(", ")}`;
  return passed(`up to date, ${done} ${done === 1 ? "step" : "steps"}${newer}`);
}

/** Judges the free space of a folder's disk, bytes. */
export function judgeSpace(folder: string, free: number = freeBytesOf(folder)): Finding {
  const megabytes = Math.floor(free / 1_048_576);
  const says = `${megabytes} MB are free in ${folder}`;
  if (megabytes < 100) return failed(says);
  return megabytes < 1_024 ? warned(says) : passed(says);
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The most values that are counted for a missing key. */
const mostCounted = 1_000;

/** Says which key is missing, and how much needs it; undefined if none is. */
function judgeMissing(found: readonly FoundKey[], own: ReturnType<typeof proofsOf>): Finding | undefined {
  const missing = missingKey(found, own);
  if (missing === undefined) return undefined;
  const needs = Math.max(...found.map((key) => Number(key.needs ?? 0)));
  const values = `${needs}${needs === mostCounted ? " or more" : ""} ${needs === 1 ? "value needs" : "values need"} it`;
  const todo = "Add the key to DATA_KEYS of every process. If it is lost for good: node dist/data.js forget KEY_ID";
  return failed(`${missing}; ${values}`, todo);
}

/** Judges whether the data keys are random, and lists retired ones. Shows only their ids. `found`: the keys that the zone uses. */
export function judgeDataKeys(items: readonly string[] | undefined, found: readonly FoundKey[] = []): Finding {
  if (items === undefined)
    return warned("DATA_KEYS is not set: secrets are not stored, and what people write is stored unencrypted");
  const keys = items.map((item) => {
    const [id = "", text = ""] = item.split(":", 2);
    return { id, bytes: Buffer.from(text, "base64") };
  });
  // 32 random bytes have about 30 distinct values, and are almost never all printable.
  const isChosen = (bytes: Buffer): boolean =>
    new Set(bytes).size < 20 || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  const weak = keys.filter(({ bytes }) => isChosen(bytes)).map(({ id }) => id);
  if (weak.length > 0) return failed(`${weak.join(", ")} can be guessed: it is text, or repeats itself`);
  const [first, ...others] = keys.map(({ id }) => id);
  if (others.length === 0) return passed(`one, ${first}, looks random`);
  const [slow] = found.filter(({ id, used_at, at }) => id !== first && isLiveKey(used_at, at)).map(({ id }) => id);
  const wait =
    slow === undefined ? "" : `A running process still encrypts with ${slow}: restart it with ${first} first. `;
  const todo = `${wait}Run the data command reseal, then remove ${others.join(", ")}.`;
  return warned(`${first} encrypts; ${others.join(", ")} can still decrypt`, todo);
}
