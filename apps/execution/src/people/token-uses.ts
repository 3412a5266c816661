import { randomUUID } from "node:crypto";
import type { CredentialUse } from "@crosszone/admin-api";
import { actorNamed, type AppendAudit, authorAct } from "@crosszone/audit";
import type { TokenUse } from "@crosszone/contracts";
import type { Emit, Purge } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, rowsStatement } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { TokenUseTable } from "../store/people-tables.ts";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";

interface TokenUsesDeps {
  readonly append: AppendAudit;
  readonly emit: Emit<ExecutionEvent>;
  /** How long uses are kept, milliseconds. */
  readonly retentionMs: number;
}

/** Uses that one process counted and has not stored. */
type Waiting = TokenUseTable & { readonly surface: CredentialUse["surface"] };

/** Time in which uses are gathered for one commit, and the wait after a failed one, milliseconds. A crash loses what waits. */
const [gatherMs, againMs] = [1_000, 10_000];

/** Places of one actor in a day that are counted apart. A token that leaks to a botnet must not fill the table. */
const mostPlaces = 50;

/** The most places that wait in a process while the database is away. */
const mostWaiting = 10_000;

const otherPlace = { address: "other", client: "other" };
const dayOf = (ms: number): string => isoTime(ms).slice(0, 10);
const keyOf = ({ day, actor, address, client }: Pick<TokenUseTable, "actor" | "day" | "address" | "client">): string =>
  JSON.stringify([day, actor, address, client]);

const texts = { actor: "text", day: "text", address: "text", client: "text" } as const;
const types = { ...texts, uses: "bigint", first_at: "bigint", last_at: "bigint" } as const;
const columns = Object.keys(types).join(", ");
const storeUses = rowsStatement({
  columns: types,
  text: (rows) => `insert into token_use (${columns}) select ${columns} from ${rows} where true
    on conflict (actor, day, address, client) do update set uses = token_use.uses + excluded.uses,
    last_at = case when excluded.last_at > token_use.last_at then excluded.last_at else token_use.last_at end`,
});

/**
 * Counts who used which credentials, from where. Requests do not wait for it: all uses of a second are stored in one commit. The first use of
 * a day from a new place is also in the log and in the audit log.
 */
export class TokenUses {
  readonly #database: ExecutionDatabase;
  readonly #deps: TokenUsesDeps;
  #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(database: ExecutionDatabase, deps: TokenUsesDeps) {
    this.#database = database;
    this.#deps = deps;
  }

  readonly count = ({ actor, from: { address, client }, surface }: CredentialUse): void => {
    const now = Date.now();
    const place = this.#waiting.size < mostWaiting ? { address, client } : otherPlace;
    const by = columnText(actor);
    addTo(this.#waiting, { actor: by, day: dayOf(now), ...place, uses: 1, first_at: now, last_at: now, surface });
    this.#timer ??= setTimeout(this.#flush, gatherMs).unref();
  };

  /** Returns the uses of an actor, or of all, latest first. */
  async list({ actor, limit }: { readonly actor?: string | undefined; readonly limit: number }): Promise<TokenUse[]> {
    const all = this.#database.db.selectFrom("token_use").selectAll().orderBy("last_at", "desc").limit(limit);
    const rows = await (actor === undefined ? all : all.where("actor", "=", actor)).execute();
    return rows.map((row) => ({ ...row, first_at: isoTime(row.first_at), last_at: isoTime(row.last_at) }));
  }

  readonly purge: Purge = {
    table: "token_use",
    purge: async () => {
      const before = dayOf(Date.now() - this.#deps.retentionMs);
      const gone = this.#database.db.deleteFrom("token_use").where("day", "<", before);
      return Number((await gone.executeTakeFirst()).numDeletedRows);
    },
  };

  /** Stores what waits. */
  readonly close = async (): Promise<void> => {
    this.#flush();
    await this.#storing;
    clearTimeout(this.#timer);
  };

  readonly #flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = [...this.#waiting.values()];
    if (batch.length === 0) return;
    this.#waiting.clear();
    this.#storing = this.#storing
      .then(() => this.#store(batch))
      .catch((cause: unknown) => {
        this.#deps.emit("token_uses_not_stored", { cause });
        for (const use of batch) addTo(this.#waiting, use);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#flush, againMs).unref();
      });
  };

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { db, engine, transaction } = this.#database;
    const known = await db
      .selectFrom("token_use")
      .select(["actor", "day", "address", "client"])
      .where("actor", "in", [...new Set(batch.map(({ actor }) => actor))])
      .where("day", "in", [...new Set(batch.map(({ day }) => day))])
      .execute();
    const stored = new Set(known.map(keyOf));
    const places = new Map<string, number>();
    const taken = ({ actor, day }: { readonly actor: string; readonly day: string }): number =>
      places.get(`${day} ${actor}`) ?? 0;
    for (const use of known) places.set(`${use.day} ${use.actor}`, taken(use) + 1);
    const placed = new Map<string, Waiting>();
    for (const use of batch) {
      const isNew = !stored.has(keyOf(use));
      addTo(placed, isNew && taken(use) >= mostPlaces ? { ...use, ...otherPlace } : use);
      if (isNew) places.set(`${use.day} ${use.actor}`, taken(use) + 1);
    }
    // The same order in every process prevents deadlocks.
    const uses = [...placed].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use);
    const first = uses.filter((use) => !stored.has(keyOf(use)));
    await transaction(async (tx) => {
      await storeUses(
        tx,
        engine,
        uses.map(({ surface: _surface, ...row }) => row),
      );
      await this.#deps.append(tx, first.map(useAct));
    });
    for (const { actor: by, address, client, surface } of first)
      this.#deps.emit("token_used", { by, address, client, surface });
  }
}

/** Adds a use to those from the same place. */
function addTo(uses: Map<string, Waiting>, use: Waiting): void {
  const before = uses.get(keyOf(use)) ?? { ...use, uses: 0 };
  const [first_at, last_at] = [Math.min(before.first_at, use.first_at), Math.max(before.last_at, use.last_at)];
  uses.set(keyOf(use), { ...use, uses: before.uses + use.uses, first_at, last_at });
}

function useAct({ actor, address, client, first_at: at, surface }: Waiting) {
  const { type, id } = actorNamed(actor);
  const author = { actor, correlationId: randomUUID(), from: { address, client } };
  return { ...authorAct(author, { action: "token.use", target: { type, id } }), surface, at };
}
