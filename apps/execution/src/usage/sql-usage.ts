import { hash, randomUUID } from "node:crypto";
import { AssistantError, type CallRecord, type ReservedCall } from "@crosszone/assistant";
import type { Purge } from "@crosszone/service-kit";
import { deleteOlder, now, type Database } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import { nearlyUsedSentence, periodName, usedUpSentence, type Budget, type BudgetScope } from "./budget.ts";
import type { UsageTables } from "./usage-table.ts";

/** For whom a model is called. */
export interface Payer {
  readonly task_id: string;
  /** The team's id, as its rows are found by it. */
  readonly team: string | undefined;
  readonly person: string | undefined;
  readonly channel: string | undefined;
  readonly agent: string;
}

export interface UsageDeps {
  readonly budgets: readonly Budget[];
  readonly now: () => Date;
}

/** Reserves and records calls of language models. */
export interface Usage {
  /**
   * Records a call as the most that it may use, where each budget has room for that; else rejects with an `AssistantError` `budget`, and nothing
   * is recorded. Processes that share the database share the budgets. `onNote` receives a sentence for the person, once a period.
   */
  reserve(payer: Payer, most: CallRecord, onNote: (sentence: string) => void): Promise<ReservedCall>;
  /** Deletes calls, and what they used of budgets, after `keptMs`. */
  readonly purges: readonly Purge[];
}

interface Charge {
  readonly budget: Budget;
  readonly key: {
    readonly scope: BudgetScope;
    readonly subject: string;
    readonly period: string;
    readonly unit: string;
  };
}

/** How long calls and the use of budgets are kept, milliseconds: a year and a month. */
const keptMs = 396 * 86_400_000;

/** A note is made when so much of a budget is used. */
const nearlyUsed = 0.8;

export function createSqlUsage<Tables extends UsageTables>(
  zoneDatabase: Database<Tables>,
  { budgets, now: clock }: UsageDeps,
): Usage {
  const database = zoneDatabase as unknown as Database<UsageTables>;
  const { engine } = database;

  async function charge(
    db: Kysely<UsageTables>,
    { budget, key }: Charge,
    { amount, team }: { readonly amount: number; readonly team: string | null },
  ): Promise<string | undefined> {
    const { limit } = budget;
    const taken =
      amount > limit
        ? undefined
        : await db
            .insertInto("budget_use")
            .values({ ...key, team, used: amount, noted: 0 })
            .onConflict((conflict) =>
              conflict
                .columns(["scope", "subject", "period", "unit"])
                .doUpdateSet({ used: sql<number>`budget_use.used + ${amount}` })
                .where(sql<boolean>`budget_use.used + ${amount} <= ${limit}`),
            )
            .returning(["used", "noted"])
            .executeTakeFirst();
    if (taken === undefined)
      throw new AssistantError("budget", `no room in ${key.scope}/${budget.period}`, {
        sentence: usedUpSentence(budget, clock()),
      });
    if (taken.noted === 1 || taken.used < nearlyUsed * limit) return undefined;
    await updateOf(db, key).set({ noted: 1 }).execute();
    return nearlyUsedSentence(budget);
  }

  const old = sql<number>`(select ${now(engine)} - ${keptMs})`;
  const oldDay = (): string => periodName("day", new Date(clock().getTime() - keptMs));
  return {
    purges: [
      {
        table: "model_call",
        purge: (most) => deleteOlder(database.db, { table: "model_call", key: "id", column: "at", before: old }, most),
      },
      {
        table: "budget_use",
        purge: async () => {
          // `2026-11` sorts before each day of that month, which is over by then.
          const gone = await database.db.deleteFrom("budget_use").where("period", "<", oldDay()).executeTakeFirst();
          return Number(gone.numDeletedRows);
        },
      },
    ],

    reserve: async (payer, most, onNote) => {
      const id = randomUUID();
      const team = payer.team ?? null;
      const charges = budgets.flatMap((budget) => chargeOf(budget, payer, clock()) ?? []);
      const notes = await database.transaction(async (db) => {
        const said: (string | undefined)[] = [];
        // In the same order for all, so that no two wait for each other.
        for (const one of charges) said.push(await charge(db, one, { amount: amountIn(one.budget, most), team }));
        const { task_id, person = null, channel = null, agent } = payer;
        const who = { task_id, team, person, channel, agent };
        await db
          .insertInto("model_call")
          .values({ id, at: now(engine), ...who, ...rowOf(most), estimated: 1 })
          .execute();
        return said;
      });
      for (const note of notes) if (note !== undefined) onNote(note);
      return {
        settle: async (used) => {
          await database.transaction(async (db) => {
            for (const { budget, key } of charges) {
              const difference = amountIn(budget, used) - amountIn(budget, most);
              await updateOf(db, key)
                .set({ used: sql<number>`used + ${difference}` })
                .execute();
            }
            await db.updateTable("model_call").set(rowOf(used)).where("id", "=", id).execute();
          });
        },
      };
    },
  };
}

const updateOf = (db: Kysely<UsageTables>, { scope, subject, period, unit }: Charge["key"]) =>
  db
    .updateTable("budget_use")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .where("period", "=", period)
    .where("unit", "=", unit);

/** What a call is charged to; nothing when nobody of that scope is known. */
function chargeOf(budget: Budget, { team = "", person, channel, agent }: Payer, at: Date): Charge | undefined {
  const { scope, unit } = budget;
  const digest = (id: string | undefined) => id && hash("sha256", JSON.stringify([team, id]), "base64url");
  const subject = { person: digest(person), channel: digest(channel), team, agent }[scope];
  if (!subject) return undefined;
  return { budget, key: { scope, subject, period: periodName(budget.period, at), unit } };
}

/** A budget in dollars counts nothing for a model without a price; such a configuration is refused at the start. */
function amountIn({ unit }: Budget, { tokens, cost }: CallRecord): number {
  return unit === "tokens" ? tokens : microDollars(cost ?? 0);
}

const microDollars = (dollars: number): number => Math.ceil(dollars * 1_000_000);

function rowOf({ model, input, output, cached, cost, estimated }: CallRecord) {
  return {
    model,
    input_tokens: input,
    output_tokens: output,
    cached_tokens: cached,
    cost: cost === null ? null : microDollars(cost),
    estimated: Number(estimated),
  };
}
