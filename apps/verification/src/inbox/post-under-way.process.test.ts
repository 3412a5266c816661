import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { createFakeSlack, type FakeSlack } from "../testing/fake-slack.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { directMessage, startTestApp } from "../testing/start-test-app.ts";

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
