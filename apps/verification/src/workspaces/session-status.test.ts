import { expect, test } from "vitest";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { createSessionStatus } from "./session-status.ts";

const thread = { channel: "C1", thread_ts: "1.0" };

test("the statuses of one thread arrive in order, however long a call takes; other threads do not wait", async () => {
  const slack = createFakeSlack();
  const first = Promise.withResolvers<void>();
  const said: string[] = [];
  const session = createSessionStatus(
    {
      ...slack,
      setSessionStatus: async ({ thread_ts }, status) => {
        said.push(`${thread_ts} ${status}`);
        if (said.length === 1) await first.promise;
      },
    },
    () => undefined,
  );
  const calls = [session.working(thread), session.idle(thread), session.working({ ...thread, thread_ts: "2.0" })];
  await calls[2];
  expect(said).toEqual(["1.0 processing", "2.0 processing"]);
  first.resolve();
  await Promise.all(calls);
  expect(said).toEqual(["1.0 processing", "2.0 processing", "1.0 active"]);
});
