import { startPostgres } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { createInboxWorker } from "./inbox-worker.ts";

test("S5, Z9: a database crash loses no record, repeats no answer, and logs one line", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const database = await openVerificationDatabase({ url: server.url, onIdleError: () => undefined });
  onTestFinished(() => database.close());
  const leaseMs = 20_000;
  const inbox = createTestInbox(database, { leaseMs });
  const [told, handled]: [string[], string[]] = [[], []];
  const inWork = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const worker = createInboxWorker({
    inbox,
    pollMs: 100,
    work: {
      ask: {
        concurrency: 2,
        handle: async ({ record }) => {
          handled.push(record.request_id);
          inWork.resolve();
          await goOn.promise;
        },
      },
    },
    observer: {
      unavailable: () => void told.push("away"),
      available: () => void told.push("back"),
      ended: ({ record, attempt }, outcome) => void told.push(`${record.request_id} ${outcome} ${attempt}`),
    },
    reasonOf: String,
  });
  onTestFinished(() => worker.stop(0, 0));
  for (const request_id of ["1", "2"]) await inbox.accept(questionRecord({ request_id }));
  worker.start();
  await inWork.promise;

  await server.kill();
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(["away"]);
  await expect(inbox.accept(questionRecord())).rejects.toBeInstanceOf(Error);
  // The answer exists now, but the inbox cannot be reached to complete the record.
  goOn.resolve();
  await server.start();
  await expect.poll(() => told, { timeout: 20_000 }).toEqual(["away", "back", "1 done 1", "2 done 1"]);
  expect(handled).toEqual(["1", "2"]);
});
