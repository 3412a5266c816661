import { openDatabase, type Database } from "@crosszone/sql";
import { busLanesStep } from "../embedded/message-lanes.ts";
import { busStep, type BusTables } from "../embedded/bus-tables.ts";

/** Opens a database with the tables of the bus only. */
export function openBusDatabase(url: string): Promise<Database<BusTables>> {
  return openDatabase<BusTables>({
    url,
    schema: "bus",
    migrations: { "0001_bus": busStep, "0002_bus_lanes": busLanesStep },
    onIdleError: () => undefined,
  });
}
