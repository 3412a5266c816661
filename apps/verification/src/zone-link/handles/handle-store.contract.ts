import { describe, expect, test } from "vitest";
import type { HandleGrant, HandleStore } from "./handles.ts";

export const grantFor = (members: Partial<HandleGrant> = {}): HandleGrant => ({
  request_id: "request-1",
  correlation_id: "correlation-1",
  team_id: "T1",
  channel: "C1",
  file_ids: ["F1", "F2"],
  ...members,
});

/** The contract tests of handle stores. The store must use the given clock. */
export function handleStoreContract(name: string, make: (clock: { now: () => number }) => Promise<HandleStore>): void {
  describe(`${name} keeps the handle store's contract`, () => {
    const start = async () => {
      const clock = { at: 1_000 };
      const store = await make({ now: () => clock.at });
      const keep = (digest: string, grant = grantFor()) => store.keep({ digest, grant, expires_at: 2_000 });
      return { clock, store, keep };
    };

    test("a handle is found by its digest and returns its grant", async () => {
      const { store, keep } = await start();
      await keep("one", grantFor({ file_ids: [] }));
      await keep("two", grantFor({ request_id: "request-2" }));
      expect(await store.find("one")).toEqual(grantFor({ file_ids: [] }));
      expect(await store.find("two")).toEqual(grantFor({ request_id: "request-2" }));
      expect(await store.find("three")).toBeUndefined();
    });

    test("a handle opens nothing once it has expired", async () => {
      const { clock, store, keep } = await start();
      await keep("one");
      clock.at = 1_999;
      expect(await store.find("one")).toBeDefined();
      clock.at = 2_000;
      expect(await store.find("one")).toBeUndefined();
      expect(await store.countRead("one", 10)).toBe(false);
      await keep("later");
      clock.at = 1_000;
      expect(await store.find("later")).toBeDefined();
    });

    test("a forgotten task removes all of its handles, and no others", async () => {
      const { store, keep } = await start();
      await keep("one");
      await keep("again");
      await keep("other", grantFor({ request_id: "request-2" }));
      await store.forget("request-1");
      await store.forget("request-1");
      expect([await store.find("one"), await store.find("again")]).toEqual([undefined, undefined]);
      expect(await store.find("other")).toBeDefined();
    });

    test("reads are counted up to the maximum, even when they are concurrent", async () => {
      const { store, keep } = await start();
      await keep("one");
      await keep("two");
      const counted = await Promise.all(Array.from({ length: 10 }, () => store.countRead("one", 3)));
      expect(counted.filter(Boolean)).toHaveLength(3);
      expect(await store.countRead("two", 3)).toBe(true);
      expect(await store.countRead("unknown", 3)).toBe(false);
    });
  });
}
