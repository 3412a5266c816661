import type { Environment } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/service-kit/data";
import { createOwnedData } from "@crosszone/sql";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { createParkedRecords } from "../inbox/parked-records.ts";
import { verificationTables } from "./verification-tables.ts";

/** What this zone keeps, for the data commands, by the variables that the zone itself reads. */
export async function openVerificationData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "verification");
  const database = await openVerificationDatabase({ url, ...commandDatabase });
  return {
    zone: "verification",
    at,
    ...createOwnedData(database, { tables: verificationTables, sealer: vault }),
    parked: createParkedRecords(database),
    close: () => database.close(),
  };
}
