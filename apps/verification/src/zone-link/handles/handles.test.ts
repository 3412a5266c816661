import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../../database/open-verification-database.ts";
import { openTestDatabase } from "../../testing/test-inbox.ts";
import { grantFor, handleStoreContract } from "./handle-store.contract.ts";
import { createHandles, type HandleStore, type StoredHandle, createSqlHandleStore } from "./handles.ts";

async function start(): Promise<{
  clock: { at: number };
  kept: StoredHandle[];
  handles: ReturnType<typeof createHandles>;
}> {
  const clock = { at: 0 };
  const now = (): number => clock.at;
  const kept: StoredHandle[] = [];
  const inner = createSqlHandleStore(await openTestDatabase(), { now });
  const store: HandleStore = { ...inner, keep: (one) => (kept.push(one), inner.keep(one)) };
  return { clock, kept, handles: createHandles({ store, now, ttlMs: 60_000 }) };
}

test("S14: a handle is 256 random bits, different each time, and the store never receives it", async () => {
  const { handles, kept } = await start();
  const issued = await Promise.all([1, 2, 3].map(() => handles.issue(grantFor())));
  expect(new Set(issued).size).toBe(3);
  for (const handle of issued) {
    expect(handle).toMatch(/^czh_[\w-]{43}$/);
    expect(JSON.stringify(kept)).not.toContain(handle.slice(4));
    expect(await handles.find(handle)).toEqual(grantFor());
  }
});

test("a handle ends with its task, and at the latest at its expiry", async () => {
  const { handles, clock } = await start();
  const [revoked, late] = [await handles.issue(grantFor()), await handles.issue(grantFor({ request_id: "request-2" }))];
  await handles.revoke(grantFor());
  expect(await handles.find(revoked)).toBeUndefined();
  clock.at = 59_999;
  expect(await handles.find(late)).toBeDefined();
  clock.at = 60_000;
  expect(await handles.find(late)).toBeUndefined();
});

test.each(["", "czh_", `czh_${"a".repeat(43)}`, `czh_${"a".repeat(44)}`, "xoxb-1-2-abc", "__proto__"])(
  "an unknown handle opens nothing: “%s”",
  async (text) => {
    const { handles } = await start();
    await handles.issue(grantFor());
    expect(await handles.find(text)).toBeUndefined();
  },
);

contractOnSameTables("the handle store", (newDatabase, engine) => {
  handleStoreContract(engine, async (clock) => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    return createSqlHandleStore(database, clock);
  });
});
