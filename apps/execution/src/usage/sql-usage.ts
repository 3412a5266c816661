import { randomUUID } from "node:crypto";
import type { CallRecord, ReservedCall, ServedTool, Spending, ToolOutcome } from "@crosszone/assistant";
import type { Emit } from "@crosszone/service-kit";
import { columnText, now, purgeAfter, retryBriefly } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type ExecutionDatabase, teamKey } from "../store/open-execution-database.ts";
import {
  type Budget,
  changeUse,
  chargesOf,
  chargesOfFire,
  type FireCap,
  microDollars,
  periodName,
  takeRoom,
  type TaskPayer,
} from "./budget.ts";

export interface UsageDeps {
  readonly budgets: readonly Budget[];
  readonly now: () => Date;
  /** Finds the cap of a fire. When absent, fires have none. */
  readonly capOf?: (fireId: string) => Promise<FireCap | undefined>;
}

/** Reserves and records calls of language models. */
export type ModelUsage = ReturnType<typeof createSqlUsage>;

/** How long calls and budget use are stored, milliseconds: a year and a month. */
const keptMs = 396 * 86_400_000;

export function createSqlUsage(
  database: ExecutionDatabase,
  { budgets, now: clock, capOf, emit = () => undefined }: UsageDeps & { readonly emit?: Emit<ExecutionEvent> },
) {
  const { db, engine, transaction } = database;
  const oldDay = (): string => periodName("day", new Date(clock().getTime() - keptMs));
  return {
    /** Deletes calls and budget use after `keptMs`. */
    purges: [
      purgeAfter(database, { table: "model_call", key: "id", column: "at" }, keptMs),
      {
        table: "budget_use",
        purge: async () => {
          // `2026-11` sorts before each of its days; the month is over by then.
          const gone = await db.deleteFrom("budget_use").where("period", "<", oldDay()).executeTakeFirst();
          return Number(gone.numDeletedRows);
        },
      },
    ],

    /**
     * Records a call with the most that it may use, if every budget has room. Otherwise rejects with an `AssistantError` `budget` and records
     * nothing. Processes that share the database share the budgets. `onNote` receives a sentence for the person, once per period.
     */
    reserve: async (payer: TaskPayer, most: CallRecord, onNote: (sentence: string) => void): Promise<ReservedCall> => {
      const id = randomUUID();
      const { team = null } = payer;
      const at = clock();
      const ofFire = payer.fire_id === undefined ? undefined : await capOf?.(payer.fire_id);
      const ofRun = chargesOf(payer.run?.budgets ?? [], payer, at);
      const charges = [...chargesOf(budgets, payer, at), ...ofRun, ...(ofFire ? chargesOfFire(ofFire, at) : [])];
      const notes = await transaction(async (tx) => {
        const said: (string | undefined)[] = [];
        // The same order everywhere prevents deadlocks.
        for (const charge of charges) said.push(await takeRoom(tx, charge, { most, team, at, emit }));
        const starter = { ...byNobody, ...(ofFire && { [ofFire.source]: ofFire.name }) };
        await tx
          .insertInto("model_call")
          .values({ ...begun(payer), id, at: now(engine), ...starter, ...rowOf(most), estimated: 1 })
          .execute();
        return said;
      });
      for (const note of notes) if (note !== undefined) onNote(note);
      return {
        recordUse: async (used) => {
          try {
            await transaction(async (tx) => {
              for (const charge of charges) await changeUse(tx, charge, { most, used });
              await tx
                .updateTable("model_call")
                .set({ ...rowOf(used), ended_at: now(engine) })
                .where("id", "=", id)
                .execute();
            });
          } finally {
            emit("model_call_ended", { ...used });
          }
        },
      };
    },

    /** Records that a call of a tool begins, which no budget limits. Returns a function that records its end. */
    callTool: async (payer: TaskPayer, called: ServedTool): ReturnType<Spending["callTool"]> => {
      const row = { ...begun(payer, called), ...byNobody, id: randomUUID() };
      await retryBriefly(() =>
        db
          .insertInto("model_call")
          .values({ ...row, at: now(engine) })
          .execute(),
      );
      const end = (outcome: ToolOutcome) => db.updateTable("model_call").set({ outcome, ended_at: now(engine) });
      return async (outcome) => void (await retryBriefly(() => end(outcome).where("id", "=", row.id).execute()));
    },
  };
}

const byNobody = { schedule: null, hook: null };

/** Returns a call that has begun, of a payer, and has used nothing. */
function begun(payer: TaskPayer, { server, tool }: Partial<ServedTool> = {}) {
  const { task_id, team = null, person, channel, agent } = payer;
  const who = { task_id, team, person: idColumn(person), channel: idColumn(channel), agent };
  const nothing = { model: "", input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: 0, estimated: 0 };
  return { ...who, ...nothing, server: idColumn(server), tool: idColumn(tool), outcome: null, ended_at: null };
}

const idColumn = (id: string | undefined): string | null => (id === undefined ? null : columnText(id));

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

/** Returns the spending of the calls of an agent's tasks, paid by the requester, channel and team. */
export function spendingOf({ reserve, callTool }: Pick<ModelUsage, "reserve" | "callTool">, agent: string) {
  return (
    task: {
      readonly task_id: string;
      readonly team_id?: string;
      readonly user_id?: string;
      readonly channel?: string;
      readonly fire_id?: string;
      readonly run?: TaskPayer["run"];
    },
    onNote: (sentence: string) => void,
  ): Spending => {
    const { task_id, team_id, user_id, channel, fire_id, run } = task;
    const team = team_id === undefined ? undefined : teamKey(team_id);
    const payer = { task_id, team, person: user_id, channel, agent, fire_id, run };
    return { reserve: (most) => reserve(payer, most, onNote), callTool: (tool) => callTool(payer, tool) };
  };
}
