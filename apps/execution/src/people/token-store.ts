import { randomUUID } from "node:crypto";
import { type ApiTokens, findHolder, momentOf, type StoredTokens } from "@crosszone/admin-api";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import {
  type ApiToken,
  type CheckTokenParams,
  type CheckTokenResult,
  type CreateTokenRequest,
  type TokenScope,
  ZoneError,
} from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, createGroupCommit, now, nowText, personDigest, retryBriefly, rowsStatement } from "@crosszone/sql";
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";
import type { ApiTokenTable, PeopleTables } from "../store/people-tables.ts";

interface NewToken extends CreateTokenRequest {
  readonly digest: string;
  readonly by: Author;
  /** The latest expiry, Unix milliseconds. */
  readonly latest: number | undefined;
}

/** The most live tokens: a list has them all. */
const mostLive = 1_000;

const selectLive = rowsStatement({
  columns: { digest: "text" },
  text: (rows, engine) => `select api_token.* from ${rows} join api_token
    on api_token.digest = new.digest where revoked_at is null and expires_at > ${nowText[engine]}`,
});

/** Concurrent requests share a query, which begins after all of them. */
const createFindLive = ({ engine, prepared }: ExecutionDatabase) =>
  createGroupCommit(async (digests: readonly string[]) => {
    const given = [...new Set(digests)].map((digest) => ({ digest }));
    const rows = await selectLive<Selectable<ApiTokenTable>>(prepared, engine, given);
    return digests.map((digest) => rows.find((row) => row.digest === digest));
  });

/** Stores the tokens of the API in the zone's database, with their acts in the audit log. Every read sees what other processes revoked. */
export type TokenStore = ReturnType<typeof createTokenStore>;

export function createTokenStore(database: ExecutionDatabase, append: AppendAudit) {
  const { db, engine, transaction } = database;
  const time = now(engine);
  const act = (
    by: Author,
    action: string,
    { name, ...details }: { name: string; scopes?: string; expires_at?: string },
  ) => authorAct(by, { action, target: { type: "token", id: name }, details });
  const isLive = (eb: ExpressionBuilder<PeopleTables, "api_token">) =>
    eb.and([eb("revoked_at", "is", null), eb("expires_at", ">", time)]);
  const findLive = createFindLive(database);

  const stored: StoredTokens = {
    find: async (digest) => {
      const row = await findLive(digest);
      return row && { actor: `token:${row.name}`, scopes: scopesOf(row), expiresAt: row.expires_at };
    },
    findEnded: async (digest) => {
      const row = await db.selectFrom("api_token").selectAll().where("digest", "=", digest).executeTakeFirst();
      return row && `token:${row.name} (${row.revoked_at === null ? "expired" : "revoked"})`;
    },

    hasLive: async (scope) => {
      const live = db.selectFrom("api_token").select("id").where(isLive);
      const found = scope === undefined ? live : live.where("scopes", "like", `% ${scope} %`);
      return (await found.limit(1).executeTakeFirst()) !== undefined;
    },
  };

  return {
    ...stored,
    /** Returns the live tokens by name. */
    list: async (): Promise<readonly ApiToken[]> => {
      const rows = await db.selectFrom("api_token").selectAll().where(isLive).orderBy("name").execute();
      const places = await db
        .selectFrom("token_use")
        .select(({ fn }) => ["actor", "address", "client", fn.max("last_at").as("last_at")])
        .where("actor", "like", "token:%")
        .groupBy(["actor", "address", "client"])
        .orderBy(({ fn }) => fn.max("last_at"))
        .execute();
      const lastOf = new Map(places.map((place) => [place.actor, place]));
      const actors = rows.map(({ name }) => `token:${name}`);
      const bytes = await readStoredBytes(database, actors);
      return rows.map((row, at) => ({
        ...tokenOf(row, lastOf.get(actors[at] ?? "")),
        stored_bytes: bytes.get(actors[at] ?? "") ?? 0,
      }));
    },

    /** Stores a token. Nothing is stored when a token has or had the name, the expiry is past or too late, or 1,000 tokens are live. */
    create: ({ name, scopes, expires_at: at, expires_in: seconds = 0, digest, by, latest }: NewToken) =>
      transaction(async (tx): Promise<ApiToken | "taken" | "past" | "too_late" | "full"> => {
        const { rows } = await sql<{ readonly at: number }>`select ${time} as at`.execute(tx);
        const created_at = rows[0]?.at ?? 0;
        const expires_at = at === undefined ? created_at + seconds * 1_000 : momentOf(at);
        if (expires_at <= created_at) return "past";
        if (latest !== undefined && expires_at > latest) return "too_late";
        const live = tx.selectFrom("api_token").select(({ fn }) => fn.countAll<number>().as("count"));
        if ((await live.where(isLive).executeTakeFirstOrThrow()).count >= mostLive) return "full";
        const row = { id: randomUUID(), name, digest, scopes: ` ${[...new Set(scopes)].join(" ")} ` };
        const added = await tx
          .insertInto("api_token")
          .values({ ...row, created_by: by.actor, created_at, expires_at })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        if (added === undefined) return "taken";
        const acted = { name, scopes: row.scopes.trim(), expires_at: isoTime(expires_at) };
        await append(tx, [act(by, "token.create", acted)]);
        return tokenOf(added);
      }),

    /** Revokes a live token. Returns whether one has the name. */
    revoke: (name: string, by: Author): Promise<boolean> =>
      transaction(async (tx) => {
        const revoked = tx.updateTable("api_token").set({ revoked_at: time }).where("name", "=", name).where(isLive);
        if ((await revoked.executeTakeFirst()).numUpdatedRows === 0n) return false;
        await append(tx, [act(by, "token.revoke", { name })]);
        return true;
      }),
  };
}

const ofAuthors = {
  workflow_run: ["substr(people, 2, 16)", "bytes + octet_length(definition)"],
  workflow_event: ["author", "octet_length(payload)"],
  workflow: ["author", "octet_length(definition) + octet_length(summary)"],
} as const;

/**
 * Returns the bytes that are stored for each of these actors, whichever way they came: questions and answers of its tasks, its runs and the runs
 * in these, its events, and its versions of workflows. Each is summed over an index by author.
 */
export async function readStoredBytes(
  { db }: Pick<ExecutionDatabase, "db">,
  actors: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const byDigest = new Map(actors.map((actor) => [personDigest(actor), actor]));
  const byColumn = new Map(actors.map((actor) => [columnText(actor), actor]));
  if (actors.length === 0) return new Map();
  const sums = Object.entries(ofAuthors).map(
    ([table, [author, bytes]]) => sql`select ${sql.raw(author)} as author, sum(${sql.raw(bytes)}) as bytes
      from ${sql.table(table)} where ${sql.raw(author)} in (${sql.join([...byDigest.keys()])}) group by 1`,
  );
  const ofTasks = sql`select asker as author, sum(bytes) as bytes from job
    where asker in (${sql.join([...byColumn.keys()])}) group by asker`;
  const all = sql<{ author: string; bytes: string | number | null }>`${sql.join([ofTasks, ...sums], sql` union all `)}`;
  const { rows } = await retryBriefly(() => all.execute(db));
  const stored = new Map<string, number>();
  for (const { author, bytes } of rows) {
    const actor = byColumn.get(author) ?? byDigest.get(author) ?? "";
    stored.set(actor, (stored.get(actor) ?? 0) + Number(bytes ?? 0));
  }
  return stored;
}

const scopesOf = ({ scopes }: { readonly scopes: string }): TokenScope[] => scopes.trim().split(" ") as TokenScope[];

function tokenOf(
  row: Selectable<ApiTokenTable>,
  last?: { readonly address: string; readonly client: string; readonly last_at: number },
): ApiToken {
  const { name, created_by, created_at, expires_at } = row;
  const times = { created_at: isoTime(created_at), expires_at: isoTime(expires_at) };
  const used = last && {
    last_used_at: isoTime(last.last_at),
    last_used_from: { address: last.address, client: last.client },
  };
  return { name, scopes: scopesOf(row), created_by, ...times, ...used };
}

/**
 * Returns the holder of a token, and counts its use. Throws `unauthorized` unless the token is valid and has the scope, with the actor of a
 * known one.
 */
export type CheckToken = (token: CheckTokenParams) => Promise<CheckTokenResult>;

export const createCheckToken =
  (known: ApiTokens): CheckToken =>
  async ({ digest, scope, from }) => {
    const holder = await findHolder(known, digest);
    if (holder === undefined) throw new ZoneError("unauthorized", { actor: await known.stored.findEnded(digest) });
    const { actor, scopes } = holder;
    if (from !== undefined) known.onUse?.({ actor, from, surface: "api" });
    if (scopes.includes(scope)) return { name: actor.replace(/^token:/, "") };
    throw new ZoneError("unauthorized", { actor });
  };
