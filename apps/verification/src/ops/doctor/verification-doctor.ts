import { readSettings, zoneRows, type ZoneTable } from "@crosszone/ops/doctor";
import type { Environment } from "@crosszone/service-kit";
import { inspectDatabase } from "@crosszone/sql";
import { loadVerificationConfig, verificationConfig } from "../../config/config.ts";
import { verificationMigrations as migrations } from "../../database/migrations.ts";
import { linkRows } from "./link-rows.ts";
import { slackRows } from "./slack-rows.ts";

/** Returns the table of the verification zone, for a configuration that may have any errors. */
export function verificationDoctor(env: Environment): ZoneTable {
  const { row, values: config, files, skip } = readSettings(verificationConfig, loadVerificationConfig, env);
  const zone = "verification";
  const inspect = (url: string) => inspectDatabase({ url, schema: zone, migrations });
  const rows = [row, ...slackRows(config), ...linkRows(config, files), ...zoneRows(config, { zone, env, inspect })];
  return { title: "Verification zone", skip, rows };
}
