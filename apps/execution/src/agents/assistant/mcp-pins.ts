import {
  fingerprintOf,
  type McpDefinition,
  type McpLeftOut,
  type McpList,
  type McpToolState,
} from "@crosszone/assistant";
import { type Author, authorAct, createAppendAudit } from "@crosszone/audit";
import type { McpTool } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { forUpdate, now, storedBytes } from "@crosszone/sql";
import { type Selectable, sql, type Transaction } from "kysely";
import type { ExecutionDatabase } from "../../store/open-execution-database.ts";
import type { ExecutionTables, McpToolTable } from "../../store/tables.ts";

type ToolRow = Selectable<McpToolTable>;

/** Stores the definitions of MCP tools in the zone's database. Processes that share the database share the pins. */
export type McpPinStore = ReturnType<typeof createSqlMcpPins>;

interface SeenMcpServer {
  readonly tools: readonly McpTool[];
  readonly leftOut: readonly McpLeftOut[];
}

export function createSqlMcpPins({ db, engine, transaction }: ExecutionDatabase) {
  const rowsOf = (server: string): Promise<ToolRow[]> =>
    db.selectFrom("mcp_tool").selectAll().where("server", "=", server).execute();

  const leftOutOf = (server: string) =>
    db.selectFrom("mcp_left_out").select(["tool as name", "because"]).where("server", "=", server).execute();

  const keep = (server: string, { tools: listed, leftOut }: McpList): Promise<void> =>
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
      await keepLeftOut(tx, server, leftOut);
    });

  return {
    /** See `McpPins`. */
    observe: async (server: string, list: McpList): Promise<ReadonlyMap<string, McpToolState>> => {
      const { tools: listed, leftOut } = list;
      const [kept, keptOut] = await Promise.all([rowsOf(server), leftOutOf(server)]);
      const isKept = kept.length > 0 && isAsKept(kept, listed) && reasonsOf(keptOut) === reasonsOf(leftOut);
      if (!isKept) await keep(server, list);
      const rows = new Map((isKept ? kept : await rowsOf(server)).map((row) => [row.tool, row]));
      // Judges each definition as this process listed it: another process may have stored a different list.
      return new Map(listed.map((one) => [one.name, stateOf(rows.get(one.name)?.pinned_print, fingerprintOf(one))]));
    },

    /** Returns the stored bytes of all definitions. */
    size: async (): Promise<number> => {
      const bytes = sql<number | null>`sum(${storedBytes("seen", "pinned")})`.as("bytes");
      const row = await db.selectFrom("mcp_tool").select(bytes).executeTakeFirst();
      return row?.bytes ?? 0;
    },

    /** Returns every known server, by name, with its tools by name. */
    all: async (): Promise<ReadonlyMap<string, SeenMcpServer>> => {
      const servers = await db.selectFrom("mcp_server").select("name").execute();
      const rows = await db.selectFrom("mcp_tool").selectAll().execute();
      const odd = await db.selectFrom("mcp_left_out").selectAll().orderBy("tool").execute();
      const tools = rows.toSorted((one, other) => (one.tool < other.tool ? -1 : 1));
      const seen = (name: string): SeenMcpServer => ({
        tools: tools.filter(({ server }) => server === name).map(toolOf),
        leftOut: odd.flatMap(({ server, tool, because }) => (server === name ? [{ name: tool, because }] : [])),
      });
      const names = servers.map(({ name }) => name).toSorted();
      return new Map(names.map((name) => [name, seen(name)]));
    },

    /**
     * Pins definitions by their fingerprints, all or none. Returns the names of tools that are unknown or have another definition now; then
     * nothing is pinned.
     */
    approve: (server: string, prints: Readonly<Record<string, string | undefined>>, by: Author) =>
      transaction(async (tx): Promise<readonly string[]> => {
        const tools = Object.keys(prints).toSorted();
        const found = tx.selectFrom("mcp_tool").select(["tool", "seen_print"]).where("server", "=", server);
        const named = found.where("tool", "in", tools).modifyEnd(forUpdate(engine));
        const seen = new Map((await named.execute()).map(({ tool, seen_print }) => [tool, seen_print]));
        const others = tools.filter((tool) => !seen.has(tool) || seen.get(tool) !== prints[tool]);
        if (others.length > 0) return others;
        const pinned = { pinned: sql<string>`seen`, pinned_print: sql<string>`seen_print` };
        await tx
          .updateTable("mcp_tool")
          .set({ ...pinned, approved_by: by.actor, approved_at: now(engine) })
          .where("server", "=", server)
          .where("tool", "in", tools)
          .execute();
        const details = { tools: tools.join(" ") };
        const act = { action: "mcp.approve", target: { type: "mcp_server", id: server }, details };
        await createAppendAudit({ engine, codec: createRecordCodec(undefined) })(tx, [authorAct(by, act)]);
        return [];
      }),
  };
}

async function keepLeftOut(tx: Transaction<ExecutionTables>, server: string, leftOut: readonly McpLeftOut[]) {
  await tx.deleteFrom("mcp_left_out").where("server", "=", server).execute();
  for (const { name: tool, because } of oncePerName(leftOut))
    await tx
      .insertInto("mcp_left_out")
      .values({ server, tool, because })
      .onConflict((conflict) => conflict.columns(["server", "tool"]).doUpdateSet({ because }))
      .execute();
}

/** Several tools without a usable name can have the same one. */
const oncePerName = (leftOut: readonly McpLeftOut[]): McpLeftOut[] => [
  ...new Map(leftOut.map((one) => [one.name, one])).values(),
];

const reasonsOf = (leftOut: readonly McpLeftOut[]): string =>
  oncePerName(leftOut)
    .map(({ name, because }) => `${name}\n${because}`)
    .toSorted()
    .join("\n");

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
    pinned_definition: state === "changed" ? (JSON.parse(pinned ?? "{}") as McpTool["definition"]) : undefined,
    approved_by: approved_by ?? undefined,
    approved_at: approved_at === null ? undefined : new Date(approved_at).toISOString(),
  };
}
