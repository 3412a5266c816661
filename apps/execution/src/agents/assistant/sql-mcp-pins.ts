import { fingerprintOf, type McpDefinition, type McpPins, type McpToolState } from "@crosszone/assistant";
import { type AppendAudit, type Author, authorAct, createAppendAudit, type NewAuditEvent } from "@crosszone/audit";
import type { McpTool } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { type Engine, now, storedBytes } from "@crosszone/sql";
import { sql, type Selectable } from "kysely";
import type { McpToolTable } from "../../database/conversation-tables.ts";
import type { ExecutionDatabase } from "../../database/open-execution-database.ts";

/** Stores the definitions of MCP tools in the zone's database. Processes that share the database share the pins. */
export interface McpPinStore extends McpPins {
  /** Returns the stored bytes of all definitions. */
  readonly size: () => Promise<number>;
  /** Returns every known server, by name, with its tools by name. */
  readonly all: () => Promise<ReadonlyMap<string, readonly McpTool[]>>;
  /**
   * Pins definitions by their fingerprints, all or none. Returns the names of tools that are unknown or have another
   * definition now; then nothing is pinned.
   */
  readonly approve: (
    server: string,
    prints: Readonly<Record<string, string | undefined>>,
    by: Author,
  ) => Promise<readonly string[]>;
}

type ToolRow = Selectable<McpToolTable>;

export function createSqlMcpPins({ db, engine, transaction }: ExecutionDatabase): McpPinStore {
  const rowsOf = (server: string): Promise<ToolRow[]> =>
    db.selectFrom("mcp_tool").selectAll().where("server", "=", server).execute();

  const keep = (server: string, listed: readonly McpDefinition[]): Promise<void> =>
    transaction(async (tx) => {
      const added = await tx
        .insertInto("mcp_server")
        .values({ name: server, first_seen_at: now(engine) })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .executeTakeFirst();
      // Another process that lists the server for the first time waits here and then finds the row.
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
      const isKept = kept.length > 0 && isAsKept(kept, listed);
      if (!isKept) await keep(server, listed);
      const rows = new Map((isKept ? kept : await rowsOf(server)).map((row) => [row.tool, row]));
      // Judges each definition as this process listed it: another process may have stored a different list.
      return new Map(listed.map((one) => [one.name, stateOf(rows.get(one.name)?.pinned_print, fingerprintOf(one))]));
    },

    size: async () => {
      const bytes = sql<number | null>`sum(${storedBytes("seen", "pinned")})`.as("bytes");
      const row = await db.selectFrom("mcp_tool").select(bytes).executeTakeFirst();
      return row?.bytes ?? 0;
    },

    all: async () => {
      const servers = await db.selectFrom("mcp_server").select("name").execute();
      const rows = await db.selectFrom("mcp_tool").selectAll().execute();
      const tools = rows.toSorted((one, other) => (one.tool < other.tool ? -1 : 1));
      const names = servers.map(({ name }) => name).toSorted();
      return new Map(names.map((name) => [name, tools.filter(({ server }) => server === name).map(toolOf)]));
    },

    approve: (server, prints, by) =>
      transaction(async (tx) => {
        const others: string[] = [];
        for (const [tool, print = ""] of Object.entries(prints)) {
          const pinned = { pinned: sql<string>`seen`, pinned_print: sql<string>`seen_print` };
          const { numUpdatedRows } = await tx
            .updateTable("mcp_tool")
            .set({ ...pinned, approved_by: by.actor, approved_at: now(engine) })
            .where("server", "=", server)
            .where("tool", "=", tool)
            .where("seen_print", "=", print)
            .executeTakeFirst();
          if (numUpdatedRows === 0n) others.push(tool);
        }
        if (others.length > 0) throw new NothingApproved(others);
        await appendTo(engine)(tx, [approvalOf(server, Object.keys(prints), by)]);
        return others;
      }).catch((error: unknown) => {
        if (error instanceof NothingApproved) return error.others;
        throw error;
      }),
  };
}

const appendTo = (engine: Engine): AppendAudit => createAppendAudit({ engine, codec: createRecordCodec(undefined) });

function approvalOf(id: string, tools: readonly string[], by: Author): NewAuditEvent {
  const details = { tools: tools.toSorted().join(" ") };
  return authorAct(by, { action: "mcp.approve", target: { type: "mcp_server", id }, details });
}

/** Rolls the transaction back. */
class NothingApproved extends Error {
  readonly others: readonly string[];

  constructor(others: readonly string[]) {
    super("other definitions by now");
    this.others = others;
  }
}

function isAsKept(rows: readonly ToolRow[], listed: readonly McpDefinition[]): boolean {
  const kept = new Map(rows.flatMap((row) => (row.listed === 1 ? [[row.tool, row.seen_print]] : [])));
  return kept.size === listed.length && listed.every((one) => kept.get(one.name) === fingerprintOf(one));
}

function stateOf(pinned: string | null | undefined, listed: string): McpToolState {
  if (pinned === listed) return "pinned";
  return typeof pinned === "string" ? "changed" : "new";
}

function toolOf(row: ToolRow): McpTool {
  const { tool: name, pinned, seen, seen_print: fingerprint, listed, approved_by, approved_at } = row;
  const state = listed === 1 ? stateOf(row.pinned_print, fingerprint) : "gone";
  const definition = JSON.parse(seen) as McpTool["definition"];
  return {
    name,
    state,
    fingerprint,
    definition,
    ...(state === "changed" && { pinned_definition: JSON.parse(pinned ?? "{}") as McpTool["definition"] }),
    approved_by: approved_by ?? undefined,
    ...(approved_at !== null && { approved_at: new Date(approved_at).toISOString() }),
  };
}
