import { sql, type Kysely } from "kysely";

/**
 * Leaves an empty table `task` on PostgreSQL in which nothing can be written. Processes of the version before that still
 * run take its error for an outage: they answer `agent_unavailable`, whose caller asks again until it meets a process of
 * this version. https://www.postgresql.org/docs/current/errcodes-appendix.html: cannot_connect_now
 */
export async function refuseOlderBuilds(db: Kysely<never>): Promise<void> {
  await sql`delete from task`.execute(db);
  await sql`
    create function refuse_older_build() returns trigger language plpgsql as $$
    begin
      raise exception 'a newer version of this program changed the database: replace this process'
        using errcode = '57P03';
    end $$`.execute(db);
  await sql`
    create trigger refuse_older_build before insert or update or delete on task
    for each statement execute function refuse_older_build()`.execute(db);
}

/** Removes that table. */
export async function admitOlderBuilds(db: Kysely<never>): Promise<void> {
  await db.schema.dropTable("task").execute();
  await sql`drop function refuse_older_build()`.execute(db);
}
