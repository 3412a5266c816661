import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createZoneEmit, loadExecutionConfig, openTaskStore, openRoles } from "@crosszone/execution";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { tunedConstants } from "@crosszone/testkit/tune";
import { leftMs } from "./plan/plan-seed.ts";
import { openVerificationDatabase } from "@crosszone/verification";
import { writeAgentFiles } from "../chaos/system/agents.ts";
import { executionSettings } from "../chaos/system/start-system.ts";

/** The databases with which each run begins: migrated, and with the agents and workflows of the questions. */
export interface Template {
  /** Copies the databases. Returns their folder and URLs. */
  readonly copy: (seed: number) => Databases;
  readonly remove: (seed: number) => void;
  readonly close: () => void;
}

export interface Databases {
  readonly folder: string;
  readonly verification: string;
  readonly execution: string;
}

/** The key of each zone's audit log, always the same one. */
const auditKey = `-----BEGIN PRIVATE KEY-----\n${"MC4CAQAwBQYDK2VwBCIEI" + "A".repeat(43)}\n-----END PRIVATE KEY-----\n`;

/** Creates the databases. Call it before time is virtual: a worker thread checks workflows. */
export async function makeTemplate(): Promise<Template> {
  const shared = "/dev/shm";
  const folder = mkdtempSync(join(existsSync(shared) ? shared : tmpdir(), "crosszone-sim-"));
  const path = (name: string, zone: string): string => join(folder, name, `${zone}.sqlite`);
  await (await openVerificationDatabase({ url: `sqlite:${path("template", "verification")}` })).close();
  const { database, jobs } = await openTaskStore({ url: `sqlite:${path("template", "execution")}` });
  const variables = writeAgentFiles(folder, "http://127.0.0.1:1", leftMs);
  const settings = { ...executionSettings, ...variables, DATA_DIR: join(folder, "template") };
  const { values } = loadExecutionConfig({ ...settings, EXECUTION_TOKEN: "x".repeat(40) });
  const config = { ...values, ...tunedConstants(executionSettings) };
  const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
  const metrics = createMetrics(undefined, { ofProcess: false });
  const emit = createZoneEmit({ logger, metrics });
  const health = createHealth();
  const roles = await openRoles({ config, environment: {}, database, jobs, metrics, health, emit });
  await roles.stop(0);
  await roles.close();
  // What is random in it would differ in each process.
  for (const table of ["audit_event", "audit_content", "audit_checkpoint", "audit_log"] as const)
    await database.db.deleteFrom(table).execute();
  await database.close();
  const zones = ["verification", "execution"] as const;
  const urlsOf = (name: string): { verification: string; execution: string } => ({
    verification: `sqlite:${path(name, "verification")}`,
    execution: `sqlite:${path(name, "execution")}`,
  });
  return {
    copy: (seed) => {
      mkdirSync(join(folder, String(seed)));
      for (const zone of zones) copyFileSync(path("template", zone), path(String(seed), zone));
      for (const zone of zones) writeFileSync(join(folder, String(seed), `${zone}.audit-key.pem`), auditKey);
      return { folder: join(folder, String(seed)), ...urlsOf(String(seed)) };
    },
    remove: (seed) => rmSync(join(folder, String(seed)), { recursive: true }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
