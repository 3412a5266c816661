import { expect, test, vi } from "vitest";
import { askRecord } from "../testing/ask-record.ts";
import type { AskRecord } from "./inbox.ts";
import { createInboxWorker } from "./inbox-worker.ts";
import { createMemoryInbox } from "./memory-inbox.ts";

const ask = (id: string, thread_ts: string): AskRecord =>
  askRecord({ request_id: id, correlation_id: id, claims: [id], thread_ts, ts: id });
const createInbox = (): ReturnType<typeof createMemoryInbox> =>
  createMemoryInbox({ most: 1_000, claims: { ttlMs: 1e9, most: 10_000, now: Date.now } });

test("works on so many records at a time, in order within a thread, until none is left", async () => {
  const inbox = createInbox();
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const worker = createInboxWorker({
    inbox,
    kind: "ask",
    concurrency: 3,
    handle: async ({ record }) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      running -= 1;
      order.push(record.request_id);
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  for (let number = 0; number < 30; number += 1) {
    await inbox.accept(ask(`${number % 5}-${number}`, `thread ${number % 5}`));
    worker.wake();
  }
  await worker.idle();
  expect(order).toHaveLength(30);
  expect(most).toBe(3);
  for (let thread = 0; thread < 5; thread += 1) {
    const numbers = order.filter((id) => id.startsWith(`${thread}-`)).map((id) => Number(id.slice(2)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

test("a record that cannot be handled is reported once and does not hold up the next of its thread", async () => {
  const inbox = createInbox();
  const errors: unknown[] = [];
  const done: string[] = [];
  const worker = createInboxWorker({
    inbox,
    kind: "ask",
    concurrency: 1,
    handle: async ({ record }) => {
      if (record.request_id === "1") throw new Error("no");
      done.push(record.request_id);
    },
    onError: (error, record) => errors.push([(error as Error).message, record?.request_id]),
  });
  await inbox.accept(ask("1", "a"));
  await inbox.accept(ask("2", "a"));
  worker.wake();
  await worker.idle();
  expect([errors, done]).toEqual([[["no", "1"]], ["2"]]);
});

test("an inbox that fails is reported, and asked again at the next wake", async () => {
  const inbox = createInbox();
  vi.spyOn(inbox, "take").mockRejectedValueOnce(new Error("gone"));
  const errors: unknown[] = [];
  const handle = vi.fn<() => Promise<void>>(async () => undefined);
  const worker = createInboxWorker({
    inbox,
    kind: "ask",
    concurrency: 1,
    handle,
    onError: (error) => errors.push(error),
  });
  await inbox.accept(ask("1", "a"));
  worker.wake();
  await worker.idle();
  expect([errors.length, handle.mock.calls.length]).toEqual([1, 0]);
  worker.wake();
  await worker.idle();
  expect(handle).toHaveBeenCalledOnce();
});
