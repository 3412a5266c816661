import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSqlHandleStore } from "../zone-link/handles/sql-handle-store.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { directMessage, startTestApp } from "../testing/start-test-app.ts";
import { createSqlStreamPace } from "../answering/streams/sql-stream-pace.ts";
import { createSqlThreadStore } from "./sql-thread-store.ts";

test("a question with a fast answer takes five writes in three tables; the thread's next question, four in two", async () => {
  const database = await openTestDatabase();
  const { db } = database;
  await sql`create table written (what text)`.execute(db);
  for (const table of ["job", "claim", "thread", "handle", "stream_pace"])
    for (const verb of ["insert", "update", "delete"])
      await sql
        .raw(
          `create trigger of_${table}_${verb} after ${verb} on ${table} begin insert into written values ('${verb} ${table}'); end`,
        )
        .execute(db);
  const written = async (): Promise<string[]> => {
    const { rows } = await sql<{ what: string }>`select what from written order by rowid`.execute(db);
    await sql`delete from written`.execute(db);
    return rows.map(({ what }) => what);
  };

  const stores = {
    threads: createSqlThreadStore(database),
    streamPace: createSqlStreamPace(database),
    handles: createSqlHandleStore(database, { now: Date.now }),
  };
  const inbox = createTestInbox(database);
  const looks = vi.spyOn(inbox.jobs, "waitingShares");
  const app = await startTestApp({ inbox, ...stores, limits: { showAfterMs: 10_000 } });
  onTestFinished(() => app.close());
  await app.started;
  app.zone.on("execute_task", () => ({ status: "success", response_text: "hi", agent: "scout" }));
  // After an empty poll, a question starts when it arrives.
  await vi.waitFor(() => expect(looks.mock.settledResults.map(({ type }) => type)).toContain("fulfilled"));
  const asks = async (message: ReturnType<typeof directMessage>): Promise<string[]> => {
    await app.deliver(message);
    await vi.waitFor(async () => expect(await app.deps.inbox.load()).toMatchObject({ waiting: 0, inWork: 0 }));
    return written();
  };
  const first = directMessage("hi");
  const [event, place] = ["insert claim", "insert claim"];
  const answer = "update job";
  expect((await asks(first)).toSorted()).toEqual(
    [event, place, "insert job", answer, "insert thread", "delete job"].toSorted(),
  );
  expect((await asks(directMessage("again", { thread_ts: first.ts }))).toSorted()).toEqual(
    [event, place, "insert job", answer, "delete job"].toSorted(),
  );
});
