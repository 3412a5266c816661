import type { Database } from "../database.ts";
import { deleteOwned, eraseDeleted } from "./delete-owned.ts";
import type { OwnedTable, Sealer } from "./owned-table.ts";
import { presentRow, type PresentedRow } from "./present-row.ts";
import { countOwned, readOwned } from "./read-owned.ts";
import { reseal, type Resealed } from "./reseal.ts";

/** All that a database keeps of its owners. Tables are worked on in the order in which they were given. */
export interface OwnedData {
  /** What an owner has, by table. */
  count(owner: string): Promise<readonly { readonly table: string; readonly holds: string; readonly rows: number }[]>;
  /** Every row of an owner. What is written meanwhile may be among them or not. */
  rows(owner: string): AsyncIterable<PresentedRow & { readonly table: string }>;
  /** Deletes them, a table at a time, and what is left of their bytes. `erased`: none is in the files any more that this can reach. */
  purge(owner: string): Promise<{
    readonly deleted: readonly { readonly table: string; readonly rows: number }[];
    readonly erased: boolean;
  }>;
  /** Seals everything with the key of today. Nothing to do without a sealer. */
  reseal(): Promise<readonly (Resealed & { readonly table: string })[]>;
}

/** The owned data of a database, for whoever exports and deletes it. */
export function createOwnedData<Tables>(
  given: Database<Tables>,
  { tables, sealer }: { readonly tables: readonly OwnedTable[]; readonly sealer?: Sealer | undefined },
): OwnedData {
  // The tables are data here, not types.
  const database = given as unknown as Database<never>;
  const { db } = database;
  return {
    count: async (owner) => {
      const counts = [];
      for (const table of tables)
        counts.push({ table: table.name, holds: table.holds, rows: await countOwned(db, table, owner) });
      return counts;
    },
    async *rows(owner) {
      for (const table of tables)
        for await (const page of readOwned(db, table, owner))
          for (const row of page) yield { table: table.name, ...presentRow(table, row, sealer) };
    },
    purge: async (owner) => {
      const deleted = [];
      for (const table of tables) deleted.push({ table: table.name, rows: await deleteOwned(database, table, owner) });
      return { deleted, erased: await eraseDeleted(database, tables) };
    },
    reseal: async () => {
      const results = [];
      if (sealer !== undefined)
        for (const table of tables) results.push({ table: table.name, ...(await reseal(db, table, sealer)) });
      return results;
    },
  };
}
