import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { createFakeSlack, type FakeSlack } from "../testing/fake-slack.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { questionRecord } from "../testing/question-record.ts";
import { directMessage, startTestApp } from "../testing/start-test-app.ts";
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

test("S12, Z9: a post that arrives after its process ended is found by the next process, not repeated", async () => {
  const fake = createFakeSlack();
  const landing = Promise.withResolvers<void>();
  const post = vi.fn<FakeSlack["post"]>(async (...given) => {
    if (post.mock.calls.length === 1) await landing.promise;
    return fake.post(...given);
  });
  const slack = { ...fake, post };
  const database = await openTestDatabase();
  // A lease may be shorter than a call to Slack.
  const lease = { leaseMs: 1_000 };
  const first = await startTestApp({ slack, inbox: createTestInbox(database, lease) });
  await first.started;
  const message = directMessage("hello");
  await first.deliver(message);
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
  await first.close(0);

  const next = await startTestApp({ slack, inbox: createTestInbox(database, lease) });
  await next.started;
  // It polls at least once a second.
  await delay(2_500);
  expect(post).toHaveBeenCalledOnce();
  landing.resolve();
  await vi.waitFor(() => expect(fake.answers(message.ts)).toHaveLength(1));
  // From now on the post can no longer arrive.
  await database.db.updateTable("job").set({ due_at: 0 }).execute();
  await vi.waitFor(() => expect(fake.answers(message.ts)).toMatchObject([{ mark: { state: "done" } }]), 10_000);
  await vi.waitFor(async () => expect(await next.deps.inbox.load()).toMatchObject({ waiting: 0, inWork: 0 }), 10_000);
  expect(fake.answers(message.ts)).toHaveLength(1);
  expect(post).toHaveBeenCalledOnce();
  await next.close(0);
}, 30_000);
