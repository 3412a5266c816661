import type { Database } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import type { BusTables } from "../embedded/bus-tables.ts";
import { createEmbeddedBus, type EmbeddedBusOptions } from "../embedded/embedded-bus.ts";
import type { MessageBus } from "../message-bus.ts";
import { contractGroups, contractRedelivery } from "./bus-under-test.ts";
import { countStatements } from "./count-statements.ts";
import { openBusDatabase } from "./open-bus-database.ts";

/** An embedded bus of one process. */
export interface OpenEmbedded {
  readonly bus: MessageBus;
  readonly database: Database<BusTables>;
  /** Number of database statements of the bus. */
  readonly statements: () => number;
  /** Waits until the bus runs no statements. */
  readonly quiet: () => Promise<void>;
}

/** Opens an embedded bus, closed with the test. */
export async function openEmbedded(
  url: string,
  options: Partial<EmbeddedBusOptions<BusTables>> = {},
): Promise<OpenEmbedded> {
  const database = await openBusDatabase(url);
  onTestFinished(() => database.close());
  const counted = countStatements(database);
  const bus = createEmbeddedBus({
    database: counted.database,
    groups: contractGroups,
    redelivery: contractRedelivery,
    ...options,
  });
  onTestFinished(() => bus.close());
  return { bus, database, statements: counted.count, quiet: counted.quiet };
}
