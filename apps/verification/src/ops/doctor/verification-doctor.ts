import { readSettings, zoneRows, type ZoneTable } from "@crosszone/ops/doctor";
import type { Environment } from "@crosszone/service-kit";
import { loadVerificationConfig, verificationConfig } from "../../config/config.ts";
import { verificationMigrations } from "../../database/migrations.ts";
import { linkRows } from "./link-rows.ts";
import { slackRows } from "./slack-rows.ts";

/** Returns the table of the verification zone, for a configuration that may have any errors. */
export function verificationDoctor(env: Environment): ZoneTable {
  const { row, values: config, files, skip } = readSettings(verificationConfig, loadVerificationConfig, env);
  const rows = [
    row,
    ...slackRows(config),
    ...linkRows(config, files),
    ...zoneRows(config, "verification", verificationMigrations),
  ];
  return { title: "Verification zone", skip, rows };
}
