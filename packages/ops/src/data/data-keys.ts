import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Emit, Health } from "@crosszone/service-kit";
import { repeat } from "@crosszone/service-kit/timing";
import { type Database, type Engine, nowText, type SealedTable, sqlStep } from "@crosszone/sql";
import type { ProcessEvent } from "@crosszone/telemetry";
import { type Kysely, sql } from "kysely";

/** Creates and drops the table of the keys that have sealed a zone's data. */
export const dataKeysStep = sqlStep(`
  create table data_key (
    id text not null, proof text not null, used_at bigint not null, given_up integer default 0 not null,
    constraint data_key_pk primary key (id, proof))`);

export interface DataKeyTables {
  /** The first keys of processes. A row stays until nothing is sealed with its key. */
  data_key: {
    /** As in `DATA_KEYS`. */
    id: string;
    /** What only this key gives: two keys can have one id. Empty for a key of data that is older than the table. */
    proof: string;
    /** When a process last said that it seals with this key, Unix milliseconds; 0 if none does. */
    used_at: number;
    /** 1 if operators gave up what only this key opens. */
    given_up: number;
  };
}

/** A key that seals, by its id and what only it gives. */
interface DataKey {
  readonly id: string;
  readonly proof: string;
}

/** Returns the ids and proofs of `DATA_KEYS`, in their order. Shows no key. */
export const proofsOf = (items: readonly string[] = []): DataKey[] =>
  items.map((item) => {
    const [id = "", key = ""] = item.split(":");
    return {
      id,
      proof: createHmac("sha256", Buffer.from(key, "base64")).update("crosszone-backup").digest("base64url"),
    };
  });

/** How long a process counts as running after it last named its key, milliseconds. */
const liveMs = 30_000;

const columnsOf = (tables: readonly SealedTable[]): [table: string, column: string][] =>
  tables.flatMap(({ name, sealed = {} }) => Object.keys(sealed).map((column): [string, string] => [name, column]));

/** A key of the zone. `needs`: how many values are sealed with it, up to the query's limit; null if this process has it. */
export interface FoundKey extends DataKey {
  readonly used_at: Counted;
  readonly at: Counted;
  readonly needs: Counted | null;
}

/** A number of 64 bits, which PostgreSQL gives as text outside of our connections. */
type Counted = number | string;

interface KeysQuery {
  readonly engine: Engine;
  readonly tables: readonly SealedTable[];
  readonly own: readonly DataKey[];
  /** The most values that are counted for a key. A table without any is read as a whole. */
  readonly most: number;
}

/** Returns the query of the zone's keys. Ids and proofs have only letters, digits, `-` and `_`. */
export function keysQuery({ engine, tables, own, most }: KeysQuery): string {
  const among = (what: string, texts: readonly string[]): string =>
    texts.length === 0 ? "1 = 0" : `${what} in (${texts.map((text) => `'${text}'`).join(", ")})`;
  const isOwn = `(${among(
    "id || ' ' || proof",
    own.map(({ id, proof }) => `${id} ${proof}`),
  )}
    or proof = '' and ${among(
      "id",
      own.map(({ id }) => id),
    )})`;
  const sealed = columnsOf(tables).map(
    ([table, column]) =>
      `select 1 from ${table} where substr(${column}, 1, length(data_key.id) + 4) = 'v1.' || data_key.id || '.'`,
  );
  return `select id, proof, used_at, ${nowText[engine]} as at, case when ${isOwn} then null else
    (select count(*) from (select 1 from (${["select 1 where 1 = 0", ...sealed].join(" union all ")}) as each_value limit ${most}) as counted) end as needs
    from data_key where given_up = 0 order by id, proof`;
}

/** Returns why a process can't work with its keys, without their content; undefined if it can. */
export function missingKey(found: readonly FoundKey[], own: readonly DataKey[]): string | undefined {
  const lacking = found.filter(({ needs }) => needs !== null);
  const other =
    lacking.find(({ used_at, at }) => isLiveKey(used_at, at)) ?? lacking.find(({ needs }) => Number(needs) > 0);
  if (other === undefined) return undefined;
  const uses = isLiveKey(other.used_at, other.at) ? "another process of the zone seals" : "stored data is sealed";
  const isSame = own.some(({ id }) => id === other.id);
  return isSame
    ? `${uses} with another key "${other.id}" than DATA_KEYS of this process has`
    : `${uses} with the key "${other.id}", which DATA_KEYS of this process lacks`;
}

/** Whether a process has lately named a key. */
export const isLiveKey = (usedAt: Counted, at: Counted): boolean => Number(at) - Number(usedAt) < liveMs;

/** Returns the functions of operators for the keys of a zone. */
export function createKeyCommands<Tables>(given: Database<Tables>) {
  const { db, engine } = given as unknown as Database<DataKeyTables>;
  return {
    /** Resolves with the ids of the first keys of running processes. */
    inUse: async (): Promise<readonly string[]> => {
      const live = sql<number>`${sql.raw(nowText[engine])} - ${liveMs}`;
      return (await db.selectFrom("data_key").select("id").where("used_at", ">", live).execute()).map(({ id }) => id);
    },
    /** Lets the zone work without a key that is lost. Resolves with false if the zone knows no such key. */
    giveUp: async (id: string): Promise<boolean> => {
      const lost = db.updateTable("data_key").set({ given_up: 1 }).where("id", "=", id);
      return (await lost.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

/** Names the keys of data that is older than the table, from a part of each column. */
const learnKeys = (engine: Engine, tables: readonly SealedTable[]): string => {
  const idIn = (column: string): string =>
    engine === "postgres"
      ? `split_part(${column}, '.', 2)`
      : `substr(${column}, 4, instr(substr(${column}, 4, 41), '.') - 1)`;
  const ids = columnsOf(tables).map(
    ([table, column]) =>
      `select * from (select ${idIn(column)} as id from ${table} where ${column} like 'v1.%' limit 10000) as part`,
  );
  return `insert into data_key (id, proof, used_at) select distinct id, '', 0 from (${["select '' as id where 1 = 0", ...ids].join(" union all ")}) as all_ids
    where id <> '' and not exists (select 1 from data_key)`;
};

interface DataKeysOptions<Tables> {
  readonly database: Database<Tables>;
  readonly DATA_KEYS: readonly string[] | undefined;
  readonly tables: readonly SealedTable[];
  readonly health: Health;
  readonly emit: Emit<ProcessEvent>;
  /** Serves readiness while the keys are wrong. Resolves with a function that ends that. */
  readonly hold?: (() => Promise<() => Promise<unknown>>) | undefined;
  /** Time between two looks, milliseconds. */
  readonly everyMs?: number;
}

/**
 * Compares this process's keys with those that the zone's data and its other processes need. Resolves once none is missing: until then, the
 * process must neither store nor work. Then names its first key for the others and goes on comparing; a key that is missing from then on makes
 * it unready, and work that needs the key is left to processes that have it. Returns a function that ends this. Rejects when the process stops
 * before.
 */
export async function openDataKeys<Tables>(options: DataKeysOptions<Tables>): Promise<() => Promise<void>> {
  const { DATA_KEYS, tables, health, emit, hold, everyMs = 3_000 } = options;
  // A database with more tables also has this one.
  const { db, engine, transaction } = options.database as unknown as Database<DataKeyTables>;
  const own = proofsOf(DATA_KEYS);
  const [first] = own;
  const query = keysQuery({ engine, tables, own, most: 1 });
  const stopping = new AbortController();
  let because: string | undefined;
  health.addCheck("keys", () => because);

  /** Looks for a missing key. If none is, names the first key, and forgets keys that nothing needs. */
  const look = async (on: Kysely<DataKeyTables>): Promise<void> => {
    const { rows } = await sql.raw<FoundKey>(query).execute(on);
    const missing = missingKey(rows, own);
    if (missing !== because && missing !== undefined) emit("data_key_missing", { because: missing });
    if (missing === undefined && because !== undefined) emit("data_keys_complete");
    because = missing;
    for (const { id, proof, needs, used_at, at } of rows)
      if (needs !== null && Number(needs) === 0 && !isLiveKey(used_at, at))
        await on
          .deleteFrom("data_key")
          .where("id", "=", id)
          .where("proof", "=", proof)
          .where("used_at", "=", Number(used_at))
          .execute();
  };
  const nameFirst = async (on: Kysely<DataKeyTables>): Promise<void> => {
    if (first === undefined) return;
    const row = { ...first, used_at: sql<number>`${sql.raw(nowText[engine])}`, given_up: 0 } as const;
    await on
      .insertInto("data_key")
      .values(row)
      .onConflict((known) => known.columns(["id", "proof"]).doUpdateSet(row))
      .execute();
  };
  /** Of processes that start at once, the first one decides. */
  const begin = (): Promise<boolean> =>
    transaction(async (tx) => {
      if (engine === "postgres") await sql`lock table data_key in share row exclusive mode`.execute(tx);
      await sql.raw(learnKeys(engine, tables)).execute(tx);
      await look(tx);
      if (because === undefined) await nameFirst(tx);
      return because === undefined;
    });

  let release: (() => Promise<unknown>) | undefined;
  while (!(await begin())) {
    release ??= await hold?.();
    await delay(everyMs, undefined, { signal: health.stopping });
  }
  await release?.();
  const goOn = async (): Promise<void> => {
    // The checks of the database report an outage.
    await nameFirst(db)
      .then(() => look(db))
      .catch(() => undefined);
  };
  const looking = repeat(goOn, () => everyMs, stopping.signal);
  return async () => {
    stopping.abort();
    await looking;
    const ofFirst = db
      .updateTable("data_key")
      .set({ used_at: 0 })
      .where("id", "=", first?.id ?? "");
    await ofFirst
      .where("proof", "=", first?.proof ?? "")
      .execute()
      .catch(() => undefined);
  };
}
