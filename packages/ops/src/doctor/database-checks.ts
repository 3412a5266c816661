import { isLoopback } from "@crosszone/service-kit";
import { describeDatabase } from "../data/storage.ts";
import { checkDataFolder, checkDataKeys, type DataFolder } from "./storage-checks.ts";
import { type Check, failed, type Finding, passed, skipped, warned } from "./checks.ts";

/** The result of inspecting a database. */
export interface DatabaseInspection {
  readonly version: string;
  readonly tooOld: boolean;
  readonly tls?: boolean;
  readonly clockAheadMs?: number;
  readonly done: number;
  readonly pending: readonly string[];
  readonly added: readonly string[];
  readonly unknown: readonly string[];
}

export interface DatabaseChecks extends Pick<DataFolder, "dataDir" | "listensBeyond" | "networkOf"> {
  /** As returned by `databaseUrlOf`. */
  readonly url: () => string;
  readonly dataKeys: readonly string[] | undefined;
  /** Inspects without changing anything; resolves with undefined when the file does not exist yet. */
  readonly inspect: (url: string) => Promise<DatabaseInspection | undefined>;
}

const reads = ["DATABASE_URL", "DATA_DIR"];

/** Checks that data can be stored: the database, its tables, its clock, its disk, and the keys. */
export function databaseChecks({ url, inspect, dataKeys, ...folder }: DatabaseChecks): Check[] {
  let inspected: DatabaseInspection | undefined;
  const needs = ["database reachable"];
  return [
    {
      name: "database reachable",
      reads,
      run: async () => {
        try {
          inspected = await inspect(url());
        } catch (error) {
          return failed(`${describeDatabase(url())}: ${reasonOf(error)}`, adviceOn(url()));
        }
        return judgeConnection(url(), inspected);
      },
    },
    { name: "database tables", needs, run: () => judgeSteps(inspected) },
    { name: "database clock", needs, run: () => judgeClock(inspected?.clockAheadMs) },
    checkDataFolder({ url, reads, ...folder }),
    checkDataKeys(dataKeys),
  ];
}

/** Only the code: a message of the driver can contain the user name. */
function reasonOf(error: unknown): string {
  const { code, message = "" } = error as { code?: unknown; message?: string };
  if (code === "28P01" || code === "28000") return "rejects the user or the password";
  if (code === "3D000") return "has no such database";
  if (/certificate|self.signed/i.test(message)) return "its certificate is not trusted";
  return `cannot be reached (${typeof code === "string" || typeof code === "number" ? code : "no answer"})`;
}

const adviceOn = (url: string): string =>
  url.startsWith("sqlite:")
    ? "Check that this user can read the file, and that it is a SQLite database. Otherwise restore a backup."
    : "Check DATABASE_URL: host, port, user, password, database, sslmode. Check that the server accepts this machine.";

function judgeConnection(url: string, inspected: DatabaseInspection | undefined): Finding {
  const at = describeDatabase(url);
  if (inspected === undefined) return passed(`${at} does not exist yet: the first start creates it`);
  const says = `${inspected.version} at ${at.replace(/^\S+ /, "")}${inspected.tls === true ? ", over TLS" : ""}`;
  if (inspected.tooOld) return failed(`${says} is too old`, "Use PostgreSQL 14 or later.");
  const plain = inspected.tls === false && !isLoopback(new URL(url).hostname);
  return plain
    ? warned(
        `${says}, without TLS: what people write can be read on the network`,
        "Add sslmode=verify-full to DATABASE_URL.",
      )
    : passed(says);
}

function judgeSteps(inspected: DatabaseInspection | undefined): Finding {
  if (inspected === undefined) return passed("the first start creates them");
  const { done, pending, added, unknown } = inspected;
  if (done === 0 && unknown.length > 0)
    return failed("a build before the first release made them", "Delete the folder, or the schema of PostgreSQL.");
  if (unknown.length > 0)
    return failed(
      `a newer version changed them, and this version can't work with that: ${unknown.join(", ")}`,
      "Use that version or a later one. To go back, restore a backup from before the upgrade.",
    );
  if (pending.length > 0) return passed(`the next start migrates them: ${pending.join(", ")}`);
  const newer = added.length === 0 ? "" : `; this version also works with what a newer one added: ${added.join(", ")}`;
  return passed(`up to date, ${done} ${done === 1 ? "step" : "steps"}${newer}`);
}

/** Zones that share a database use its clock. What they show to people and Slack uses this machine's. */
const muchMs = 30_000;

function judgeClock(aheadMs: number | undefined): Finding {
  if (aheadMs === undefined) return skipped("same as this machine's");
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (seconds <= 1) return passed("agrees with this machine's");
  const says = `this machine is ${seconds} s ${aheadMs > 0 ? "behind" : "ahead of"} the database`;
  return Math.abs(aheadMs) < muchMs ? passed(says) : warned(says, "Synchronize both clocks by NTP.");
}
