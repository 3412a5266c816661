import {
  type ColumnKind,
  type Database,
  type Engine,
  type MigrationStep,
  retryBriefly,
  rowsStatement,
  sqlStep,
} from "@crosszone/sql";
import { type CompiledQuery, type Generated, sql, type Transaction } from "kysely";
import { jobStates, type JobTables, type LeaseId, type NewMessage } from "../table/job-tables.ts";

/** A message that has to leave. It is deleted when it has left. */
interface OutboxTable extends NewMessage {
  /** The order in which the messages of a process leave. */
  sequence: Generated<number>;
  /** The process that sends it. */
  owner: string;
}

export interface OutboxTables {
  outbox: OutboxTable;
}

export const outboxStep: MigrationStep = sqlStep(
  (engine) => `
  create table outbox (
    sequence ${engine === "sqlite" ? "integer" : "bigint generated always as identity"} primary key,
    owner text not null, channel text not null, record text not null, team text, value text not null);
  create index outbox_of_owner on outbox (owner, sequence);
  create index outbox_by_team on outbox (team) where team is not null`,
);

/** The columns of a message, as rows of a statement. */
export const messageColumns = {
  owner: "text",
  channel: "text",
  record: "text",
  team: "text",
  value: "text",
} as const satisfies Record<string, ColumnKind>;

const names = Object.keys(messageColumns).join(", ");

export const insertMessages = (rows: string): string => `insert into outbox (${names}) select ${names} from ${rows}`;

/** A message to store, with the job that it depends on: one that now waits, or that this lease has ended. */
export interface SentWith {
  readonly message: NewMessage;
  readonly job?: Pick<LeaseId, "id"> & Partial<LeaseId>;
}

/** A message is not stored when another process has its job, or had ended it. */
const insertDue = rowsStatement({
  columns: { ...messageColumns, job: "text", attempt: "bigint", place: "bigint" },
  text: (rows) =>
    insertMessages(`${rows} where new.job is null or exists (
      select 1 from job where job.id = new.job and (new.attempt is null and job.state = ${jobStates.waiting}
        or job.state = ${jobStates.ended} and job.owner = new.owner and job.attempt = new.attempt)) order by place`),
});

/** Returns the statement that stores messages in order, each if its job is as it says. */
export const storeMessages = (engine: Engine, owner: string, sent: readonly SentWith[]): CompiledQuery =>
  insertDue.query(
    engine,
    sent.map(({ message, job }, place) => {
      return { ...message, owner, job: job?.id ?? null, attempt: job?.attempt ?? null, place };
    }),
  );

/** A message that waits in the outbox. */
export interface WaitingMessage extends NewMessage {
  readonly sequence: number;
}

const most = 500;
const mostBytes = 4_000_000;

/**
 * Messages that leave this database with the change that makes them: each is a row until it has left. The process that stored a message sends
 * it; those of processes that ended go to another one.
 */
export class Outbox {
  readonly #database: Database<JobTables & OutboxTables>;
  readonly #owner: () => string;

  constructor(database: Database<JobTables>, owner: () => string) {
    // A schema with `sends` has the table.
    this.#database = database;
    this.#owner = owner;
  }

  /** Stores messages that no job is changed with. */
  async add(messages: readonly NewMessage[], transaction?: Transaction<JobTables>): Promise<void> {
    const sent = messages.map((message) => ({ message }));
    const statement = storeMessages(this.#database.engine, this.#owner(), sent);
    if (transaction) await transaction.executeQuery(statement);
    else await retryBriefly(() => this.#database.db.executeQuery(statement));
  }

  /** Returns the next messages of this process besides those that are leaving: some, in order, and at least one if there is any. */
  async next(leaving: readonly WaitingMessage[]): Promise<readonly WaitingMessage[]> {
    const { db } = this.#database;
    const first = db
      .selectFrom("outbox")
      .selectAll()
      .select(sql<number>`sum(octet_length(value)) over (order by sequence) - octet_length(value)`.as("before"))
      .where("owner", "=", this.#owner())
      .orderBy("sequence")
      .limit(most);
    const others =
      leaving.length === 0
        ? first
        : first.where(
            "sequence",
            "not in",
            leaving.map(({ sequence }) => sequence),
          );
    return db.selectFrom(others.as("first")).selectAll().where("before", "<", mostBytes).orderBy("sequence").execute();
  }

  /** Deletes messages that have left. After a power loss they may leave again. */
  async remove(left: readonly WaitingMessage[]): Promise<void> {
    const sequences = left.map(({ sequence }) => sequence);
    await this.#database.unflushed((db) => db.deleteFrom("outbox").where("sequence", "in", sequences).execute());
  }

  /** Leaves messages to any process that adopts them. */
  async leave(messages: readonly WaitingMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const sequences = messages.map(({ sequence }) => sequence);
    await this.#database.db.updateTable("outbox").set({ owner: "" }).where("sequence", "in", sequences).execute();
  }

  /** Takes the messages of processes that ended. */
  async adopt(): Promise<void> {
    const { db } = this.#database;
    const living = db.selectFrom("job_worker").select("owner");
    await db.updateTable("outbox").set({ owner: this.#owner() }).where("owner", "not in", living).execute();
  }
}
