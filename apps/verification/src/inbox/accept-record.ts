import type { RecordCodec } from "@crosszone/service-kit";
import { now, type Engine } from "@crosszone/sql";
import type { Transaction } from "kysely";
import type { VerificationDatabase, VerificationTables } from "../database/open-verification-database.ts";
import { channelOf, claimsOf, laneOf } from "./digests.ts";
import { InboxFullError, type InboxRecord } from "./inbox.ts";
import { sealContexts } from "./inbox-table.ts";
import { addThread } from "./sql-thread-store.ts";

/** Rolls back the transaction. */
class DuplicateError extends Error {}

/** Accepts a record, unless its claims are held or `most` records are open. */
export async function acceptRecord(
  { transaction, engine }: Pick<VerificationDatabase, "transaction" | "engine">,
  record: InboxRecord,
  { most, codec }: { readonly most: number; readonly codec: RecordCodec },
): Promise<"accepted" | "duplicate"> {
  try {
    await transaction(async (within) => {
      if (!(await claim(within, engine, record))) return;
      await insert(within, { engine, codec }, record);
      // A notice does not bring the app into a thread: it may say that the app does not answer there.
      if (record.kind !== "notice") await addThread(within, engine, record);
      if (await isOver(within, most)) throw new InboxFullError(`the inbox is full (${most} records)`);
    });
    return "accepted";
  } catch (error) {
    if (error instanceof DuplicateError) return "duplicate";
    throw error;
  }
}

/** Resolves with false if the record already had all its claims: it was accepted before and may be done. */
async function claim(within: Transaction<VerificationTables>, engine: Engine, record: InboxRecord): Promise<boolean> {
  const { request_id } = record;
  const digests = claimsOf(record);
  const claimed = await within
    .insertInto("claim")
    .values(digests.map((digest) => ({ digest, request_id, claimed_at: now(engine) })))
    .onConflict((held) => held.column("digest").doNothing())
    .returning("digest")
    .execute();
  if (claimed.length === digests.length) return true;
  const holders = await within.selectFrom("claim").select("request_id").where("digest", "in", digests).execute();
  if (holders.every((holder) => holder.request_id === request_id)) return false;
  throw new DuplicateError();
}

async function insert(
  within: Transaction<VerificationTables>,
  { engine, codec }: { readonly engine: Engine; readonly codec: RecordCodec },
  record: InboxRecord,
): Promise<void> {
  const { request_id, kind, team_id } = record;
  const places = { lane: laneOf(kind, record), channel: channelOf(record) };
  await within
    .insertInto("inbox")
    .values({
      ...places,
      request_id,
      kind,
      team_id,
      record: codec.toColumn(record, sealContexts.record(record)),
      state: "waiting",
      due_at: now(engine),
      accepted_at: now(engine),
    })
    .execute();
}

/** Reads no further than necessary, and only the index of records that are not parked: cheap while few are open. */
async function isOver(within: Transaction<VerificationTables>, most: number): Promise<boolean> {
  const beyond = await within
    .selectFrom("inbox")
    .select("due_at")
    .where("due_at", "is not", null)
    .limit(1)
    .offset(most)
    .executeTakeFirst();
  return beyond !== undefined;
}
