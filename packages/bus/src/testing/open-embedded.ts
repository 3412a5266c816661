import type { Database } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import type { BusTables } from "../embedded/bus-tables.ts";
import { createEmbeddedBus, type EmbeddedBusOptions } from "../embedded/embedded-bus.ts";
import type { MessageBus } from "../message-bus.ts";
import { contractGroups, contractRedelivery } from "./bus-under-test.ts";
import { countStatements } from "./count-statements.ts";
import { openBusDatabase } from "./open-bus-database.ts";

/** What one process has of an embedded bus. */
export interface OpenEmbedded {
  readonly bus: MessageBus;
  readonly database: Database<BusTables>;
  /** How often the bus has asked its database. */
  readonly statements: () => number;
  /** Waits until the bus asks nothing. */
  readonly quiet: () => Promise<void>;
}

/** An embedded bus as one process has it; it is closed with the test. */
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
