import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createZoneEmit, loadExecutionConfig, openTaskStore, openRoles } from "@crosszone/execution";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { tunedConstants } from "@crosszone/testkit/tune";
import { openVerificationDatabase } from "@crosszone/verification";
import { writeAgentFiles, executionSettings } from "../chaos/system/start-system.ts";
import { leftMs } from "./plan-seed.ts";

export type Template = Awaited<ReturnType<typeof makeTemplate>>;

export type Databases = ReturnType<Template["copy"]>;

/** The key of each zone's audit log, always the same one. */
const auditKey = `-----BEGIN PRIVATE KEY-----\n${"MC4CAQAwBQYDK2VwBCIEI" + "A".repeat(43)}\n-----END PRIVATE KEY-----\n`;

/**
 * Creates the databases with which each run begins: migrated, and with the agents and workflows of the questions. Call it before time is virtual: a
 * worker thread checks workflows.
 */
export async function makeTemplate() {
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
  return {
    /** Copies the databases. Returns their folder and URLs. */
    copy: (seed: number) => {
      const own = join(folder, String(seed));
      mkdirSync(own);
      for (const zone of zones) copyFileSync(path("template", zone), path(String(seed), zone));
      for (const zone of zones) writeFileSync(join(own, `${zone}.audit-key.pem`), auditKey);
      const [verification, execution] = zones.map((zone) => `sqlite:${path(String(seed), zone)}`) as [string, string];
      return { folder: own, verification, execution };
    },
    remove: (seed: number) => rmSync(join(folder, String(seed)), { recursive: true }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
