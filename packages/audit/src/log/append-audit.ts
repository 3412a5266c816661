import { canonicalJson } from "@crosszone/service-kit/json";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText, type Engine, type QueryRunner, rowsStatement, type WriteRow } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import { contentContext } from "../audit-tables.ts";
import { leafOf } from "../tree.ts";
import { type NewAuditEvent, sealEvent } from "./audit-event.ts";

export interface AppendOptions {
  readonly engine: Engine;
  /** Seals the content. */
  readonly codec: RecordCodec;
  /** Called with the number of events of each append, whose transaction is not committed yet. */
  readonly onAppend?: (events: number) => void;
}

export interface AppendAudit {
  /**
   * Appends events in the caller's transaction, so that an act and its event are stored together or not at all. Returns their ids. Throws a
   * `TypeError` for an event that can't be JSON.
   */
  (transaction: QueryRunner, events: readonly NewAuditEvent[]): Promise<readonly string[]>;
  /** The same as statements, for `Database.batch` and `Database.writeWith`. For a few events. */
  readonly queries: (events: readonly NewAuditEvent[]) => readonly CompiledQuery[];
}

const columns = ["event_id", "at", "action", "actor", "target", "outcome", "event", "leaf"] as const;
const insertEvents = rowsStatement({
  columns: { ...kinds(columns), at: "bigint" },
  text: (rows) => `insert into audit_event (${columns.join()}) select ${columns.join()} from ${rows}
    where true on conflict (event_id) do nothing`,
});

const contentColumns = ["event_id", "team", "record"] as const;
const insertContents = rowsStatement({
  columns: kinds(contentColumns),
  text: (rows) => `insert into audit_content (${contentColumns.join()}) select ${contentColumns.join()}
    from ${rows} where true on conflict (event_id) do nothing`,
});

export function createAppendAudit({ engine, codec, onAppend }: AppendOptions): AppendAudit {
  return Object.assign(
    async (transaction: QueryRunner, given: readonly NewAuditEvent[]) => {
      onAppend?.(given.length);
      const { events, contents } = rowsOf(given, codec);
      await insertEvents(transaction, engine, events);
      await insertContents(transaction, engine, contents);
      return events.map(({ event_id: id }) => String(id));
    },
    {
      queries: (given: readonly NewAuditEvent[]) => {
        onAppend?.(given.length);
        const { events, contents } = rowsOf(given, codec);
        const queries = [insertEvents.query(engine, events)];
        if (contents.length > 0) queries.push(insertContents.query(engine, contents));
        return queries;
      },
    },
  );
}

function rowsOf(given: readonly NewAuditEvent[], codec: RecordCodec) {
  const events: WriteRow<(typeof columns)[number]>[] = [];
  const contents: WriteRow<(typeof contentColumns)[number]>[] = [];
  for (const act of given) {
    const { event, content } = sealEvent(act);
    const { id, action, actor, target, outcome } = event;
    const named = ({ type, id: of }: { readonly type: string; readonly id: string }) => columnText(`${type}:${of}`);
    const [by, on] = [named(actor), named(target)];
    const leaf = leafOf(event).toString("base64");
    const row = { event_id: id, at: act.at, action, actor: by, target: on, outcome };
    events.push({ ...row, event: canonicalJson(event), leaf });
    if (content === undefined) continue;
    const record = codec.toColumn(content, contentContext(id));
    contents.push({ event_id: id, team: actor.team === undefined ? null : columnText(actor.team), record });
  }
  return { events, contents };
}

function kinds<Name extends string>(names: readonly Name[]): Record<Name, "text"> {
  return Object.fromEntries(names.map((name) => [name, "text"])) as Record<Name, "text">;
}
