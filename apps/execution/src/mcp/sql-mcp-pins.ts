import { fingerprintOf, type McpDefinition, type McpPins, type McpToolState } from "@crosszone/assistant";
import type { McpTool } from "@crosszone/contracts";
import { now, type Database } from "@crosszone/sql";
import type { Selectable } from "kysely";
import type { McpTables, McpToolTable } from "./mcp-tool-table.ts";

/** Keeps the definitions of tools of MCP servers in the zone's database. Processes that share it share the pins. */
export interface McpPinStore extends McpPins {
  /** Every server that was seen, by name, with its tools by name. */
  readonly all: () => Promise<ReadonlyMap<string, readonly McpTool[]>>;
  /**
   * Pins definitions by their fingerprints, all or none. Returns the names of tools whose definition is another one by now, or that are
   * unknown; nothing is pinned then.
   */
  readonly approve: (
    server: string,
    prints: Readonly<Record<string, string | undefined>>,
    by: string,
  ) => Promise<readonly string[]>;
}

type ToolRow = Selectable<McpToolTable>;

export function createSqlMcpPins<Tables extends McpTables>(zoneDatabase: Database<Tables>): McpPinStore {
  const { db, engine, transaction } = zoneDatabase as unknown as Database<McpTables>;

  const rowsOf = (server: string): Promise<ToolRow[]> =>
    db.selectFrom("mcp_tool").selectAll().where("server", "=", server).execute();

  const keep = (server: string, listed: readonly McpDefinition[]): Promise<void> =>
    transaction(async (tx) => {
      const added = await tx
        .insertInto("mcp_server")
        .values({ name: server, first_seen_at: now(engine) })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .executeTakeFirst();
      // Whoever else sees the server for the first time waits here, and finds it known.
      const isFirst = Number(added.numInsertedOrUpdatedRows ?? 0) > 0;
      await tx.updateTable("mcp_tool").set({ listed: 0 }).where("server", "=", server).execute();
      for (const definition of listed) {
        const seen = { seen: JSON.stringify(definition), seen_print: fingerprintOf(definition), listed: 1 };
        const pinned = isFirst ? { pinned: seen.seen, pinned_print: seen.seen_print } : {};
        await tx
          .insertInto("mcp_tool")
          .values({ server, tool: definition.name, ...seen, ...pinned })
          .onConflict((conflict) => conflict.columns(["server", "tool"]).doUpdateSet(seen))
          .execute();
      }
    });

  return {
    observe: async (server, listed) => {
      const kept = await rowsOf(server);
      if (kept.length === 0 || !isAsKept(kept, listed)) await keep(server, listed);
      const rows = await rowsOf(server);
      return new Map(rows.flatMap((row) => (row.listed === 1 ? [[row.tool, stateOf(row)] as const] : [])));
    },

    all: async () => {
      const servers = await db.selectFrom("mcp_server").select("name").execute();
      const rows = await db.selectFrom("mcp_tool").selectAll().execute();
      const tools = rows.toSorted((one, other) => (one.tool < other.tool ? -1 : 1));
      const names = servers.map(({ name }) => name).toSorted();
      return new Map(names.map((name) => [name, tools.filter(({ server }) => server === name).map(toolOf)]));
    },

    approve: async (server, prints, by) => {
      const wrong: string[] = [];
      await transaction(async (tx) => {
        wrong.length = 0;
        for (const [tool, print] of Object.entries(prints).toSorted()) {
          const { numUpdatedRows } = await tx
            .updateTable("mcp_tool")
            .set(({ ref }) => ({
              pinned: ref("seen"),
              pinned_print: ref("seen_print"),
              approved_by: by,
              approved_at: now(engine),
            }))
            .where("server", "=", server)
            .where("tool", "=", tool)
            .where("seen_print", "=", print ?? "")
            .executeTakeFirst();
          if (numUpdatedRows === 0n) wrong.push(tool);
        }
        if (wrong.length > 0) throw new NothingApproved();
      }).catch((error: unknown) => {
        if (!(error instanceof NothingApproved)) throw error;
      });
      return wrong;
    },
  };
}

/** Rolls back. */
class NothingApproved extends Error {}

function isAsKept(rows: readonly ToolRow[], listed: readonly McpDefinition[]): boolean {
  const kept = new Map(rows.flatMap((row) => (row.listed === 1 ? [[row.tool, row.seen_print]] : [])));
  return kept.size === listed.length && listed.every((one) => kept.get(one.name) === fingerprintOf(one));
}

function stateOf({ pinned_print, seen_print }: ToolRow): McpToolState {
  if (pinned_print === seen_print) return "pinned";
  return pinned_print === null ? "new" : "changed";
}

function toolOf(row: ToolRow): McpTool {
  const { tool: name, pinned, seen, seen_print: fingerprint, listed, approved_by, approved_at } = row;
  const state = listed === 1 ? stateOf(row) : "gone";
  const definition = JSON.parse(seen) as McpTool["definition"];
  return {
    name,
    state,
    fingerprint,
    definition,
    ...(state === "changed" && { pinned_definition: JSON.parse(pinned ?? "{}") as McpTool["definition"] }),
    ...(approved_by !== null && { approved_by }),
    ...(approved_at !== null && { approved_at: new Date(approved_at).toISOString() }),
  };
}
