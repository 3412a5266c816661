import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askRecord } from "../testing/ask-record.ts";
import { LeaseLostError } from "./endings.ts";
import type { Inbox, InboxEntry } from "./inbox.ts";
import { createLeases, type Lease } from "./leases.ts";

const leaseMs = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function hold(renew: Inbox["renew"]): { readonly lease: Lease; readonly endedAt: () => number | undefined } {
  const entry: InboxEntry = { record: askRecord({ request_id: "1" }), attempt: 1, progress: {} };
  const leases = createLeases({ inbox: { renew }, reach: (ask) => ask(), leaseMs, onLost: () => undefined });
  const takenAt = performance.now();
  const lease = leases.hold(entry, takenAt);
  let endedAt: number | undefined;
  lease.signal.addEventListener("abort", () => (endedAt = performance.now() - takenAt));
  return { lease, endedAt: () => endedAt };
}

test("a lease is kept for as long as it can be renewed", async () => {
  const { lease, endedAt } = hold(async () => []);
  await vi.advanceTimersByTimeAsync(20 * leaseMs);
  expect(endedAt()).toBeUndefined();
  expect(lease.isOver()).toBe(false);
});

test("one that cannot be renewed is tried again, and given up before others may take the record", async () => {
  const renew = vi.fn<Inbox["renew"]>().mockRejectedValue(new Error("the inbox is away"));
  const { lease, endedAt } = hold(renew);
  await vi.advanceTimersByTimeAsync(2 * leaseMs);
  expect(endedAt()).toBeLessThan(leaseMs);
  expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
  expect(renew.mock.calls.length).toBeGreaterThanOrEqual(3);
});

test("one whose renewal is never answered is given up in time too", async () => {
  const { endedAt } = hold(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(2 * leaseMs);
  expect(endedAt()).toBeLessThan(leaseMs);
});

test("a renewal counts from when it was asked for, not from when it was answered", async () => {
  const askedAt: number[] = [];
  const { endedAt } = hold(async () => {
    askedAt.push(performance.now());
    if (askedAt.length > 1) throw new Error("the inbox is away");
    return new Promise((answer) => void setTimeout(answer, 0.3 * leaseMs, []));
  });
  const startedAt = performance.now();
  await vi.advanceTimersByTimeAsync(3 * leaseMs);
  expect(endedAt()).toBeGreaterThan(leaseMs);
  expect(endedAt()).toBeLessThan((askedAt[0] as number) - startedAt + leaseMs);
});
