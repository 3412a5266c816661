import { auditData } from "@crosszone/audit";
import type { Environment } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/ops/data";
import { createOwnedData } from "@crosszone/sql";
import { openVerificationDatabase } from "../../database/open-verification-database.ts";
import { createParkedRecords } from "../../inbox/parked-records.ts";
import { verificationTables } from "./verification-tables.ts";

/** Opens this zone's data for the data commands, using the zone's own configuration variables. */
export async function openVerificationData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "verification");
  const database = await openVerificationDatabase({ url, ...commandDatabase });
  return {
    zone: "verification",
    at,
    ...auditData(createOwnedData(database, { tables: verificationTables, sealer: vault }), "verification", database),
    parked: createParkedRecords(database),
    close: () => database.close(),
  };
}
