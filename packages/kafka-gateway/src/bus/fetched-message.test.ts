import { expect, test } from "vitest";
import { createFetchRoom } from "./fetched-message.ts";

async function hasRoom(fetched: { readonly room: () => Promise<void> }): Promise<boolean> {
  return Promise.race([fetched.room().then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

test("messages are fetched up to the limits of count and bytes; a single message may be larger", async () => {
  const fetched = createFetchRoom({ count: 2, bytes: 100 });
  expect(await hasRoom(fetched)).toBe(true);
  fetched.add(1_000);
  expect(await hasRoom(fetched)).toBe(false);
  const waiting = fetched.room();
  fetched.remove(1_000);
  await waiting;
  fetched.add(10);
  expect(await hasRoom(fetched)).toBe(true);
  fetched.add(10);
  expect(await hasRoom(fetched)).toBe(false);
  fetched.release();
  fetched.remove(10);
  expect(await hasRoom(fetched)).toBe(true);
});
