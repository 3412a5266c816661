import { auditContentData, auditData, auditTablesOfNoTeam } from "@crosszone/audit";
import { jobStates, JobStore } from "@crosszone/jobs";
import { commandDatabase, createKeyCommands, storageOf, type ZoneData } from "@crosszone/ops/data";
import type { Environment } from "@crosszone/service-kit";
import { createOwnedData, now, type OwnedTable } from "@crosszone/sql";
import { sql } from "kysely";
import { openVerificationDatabase, type VerificationDatabase } from "../database.ts";
import { reasonContext } from "../inbox/rating-store.ts";
import { inboxJobs, sealContexts } from "../inbox/record-rows.ts";
import { grantContext } from "../workspaces/installation-store.ts";

/** The tables with a team's rows, in order of deletion: the tables that let messages in go first. */
export const verificationTables: readonly OwnedTable[] = [
  {
    name: "installation",
    owner: "id",
    key: ["id"],
    holds: "the installation of the app, with its tokens",
    content: { grant_sealed: "secret" },
    sealed: { grant_sealed: ({ id }) => grantContext(String(id)) },
  },
  {
    name: "job",
    owner: "team",
    key: ["sequence"],
    holds: "the inbox: messages that are waiting, being answered, or parked",
    content: { input: "record", answer: "record" },
    sealed: { input: ({ id }) => sealContexts.record(String(id)), answer: ({ id }) => sealContexts.answer(String(id)) },
  },
  {
    name: "message",
    owner: "team_id",
    key: ["reference"],
    holds: "what became of messages, by the reference in Slack: who wrote where, the policy's rule, attempts; no text",
  },
  {
    name: "rating",
    owner: "team_id",
    key: ["reference", "user_id"],
    holds: "what people think of answers, with their reasons",
    content: { reason: "record" },
    sealed: { reason: reasonContext },
  },
  { name: "thread", owner: "team_id", key: ["digest"], holds: "threads that the app takes part in, as digests" },
  {
    name: "handle",
    owner: "team_id",
    key: ["digest"],
    holds: "handles of tasks, which open their files",
    content: { digest: "secret", opens: "json" },
  },
  {
    name: "stream_pace",
    owner: "team_id",
    key: ["team_id", "place"],
    holds: "when streamed answers of the workspace can begin and grow",
  },
  { name: "sweep", owner: "team_id", key: ["team_id"], holds: "until when the workspace was heard" },
  {
    name: "sweep_channel",
    owner: "team_id",
    key: ["team_id", "channel"],
    holds: "until when the history of a conversation was read, or why Slack does not show it",
  },
  auditContentData,
];

/** The other tables, with the reason why no row belongs to a team. */
export const ownerlessTables: Readonly<Record<string, string>> = {
  ...auditTablesOfNoTeam,
  data_key: "ids of the keys that seal this zone's data, never the keys",
  job_worker: "the processes of the zone, by random ids, with the time until which they hold their records",
  claim:
    "digests of events, kept for a day, and of messages, kept as long as what became of them, so that none is answered twice",
  spent_state: "digests of states that ended an install, kept for ten minutes, so that none ends another",
};

/** Maximum number of listed records; further ones appear once these are gone. */
const mostListed = 1_000;

/** Makes the operators' functions for parked records, which they see without content. A worker finds an unparked one within a second or two. */
export function createParkedRecords(database: VerificationDatabase): NonNullable<ZoneData["parked"]> {
  const { db, engine } = database;
  // It leases no job.
  const lease = { owner: "an operator" };
  const { lanes } = new JobStore({ database, lease, schema: inboxJobs });
  return {
    list: () =>
      db
        .selectFrom("job")
        .select((row) => [
          "id as request_id",
          row.fn.coalesce("team", sql<string>`''`).as("team_id"),
          sql<number>`${now(engine)} - created_at`.as("age_ms"),
          row("attempt", "-", row.ref("uncounted")).as("attempts"),
          row.fn.coalesce("parked_because", sql<string>`''`).as("why"),
        ])
        .where("state", "=", jobStates.parked)
        .orderBy("sequence")
        .limit(mostListed)
        .execute(),
    retry: (requestId) => lanes.unpark(requestId),
  };
}

/** Opens this zone's data for the data commands, using the zone's own configuration variables. */
export async function openVerificationData(env: Environment): Promise<ZoneData> {
  const { url, vault, ...storage } = storageOf(env, "verification");
  const database = await openVerificationDatabase({ url, ...commandDatabase });
  return {
    zone: "verification",
    ...storage,
    keys: createKeyCommands(database),
    ...auditData(createOwnedData(database, { tables: verificationTables, sealer: vault }), "verification", database),
    parked: createParkedRecords(database),
    close: () => database.close(),
  };
}
