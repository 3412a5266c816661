import type { Environment } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/service-kit/data";
import { createOwnedData } from "@crosszone/sql";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { executionTables } from "./execution-tables.ts";

/** What this zone keeps, for the data commands, by the variables that the zone itself reads. */
export async function openExecutionData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "execution");
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  return {
    zone: "execution",
    at,
    ...createOwnedData(database, { tables: executionTables, sealer: vault }),
    close: () => database.close(),
  };
}
