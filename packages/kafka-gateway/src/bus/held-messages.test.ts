import { expect, test } from "vitest";
import { createHeldMessages } from "./held-messages.ts";

async function hasRoom(held: { readonly room: () => Promise<void> }): Promise<boolean> {
  return Promise.race([held.room().then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

test("messages are fetched until there are as many, or as many bytes, as may be held; one alone may be larger", async () => {
  const held = createHeldMessages({ count: 2, bytes: 100 });
  expect(await hasRoom(held)).toBe(true);
  held.add(1_000);
  expect(await hasRoom(held)).toBe(false);
  const waiting = held.room();
  held.remove(1_000);
  await waiting;
  held.add(10);
  expect(await hasRoom(held)).toBe(true);
  held.add(10);
  expect(await hasRoom(held)).toBe(false);
  held.release();
  held.remove(10);
  expect(await hasRoom(held)).toBe(true);
});
