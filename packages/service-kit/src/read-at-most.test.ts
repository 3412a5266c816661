import { expect, test } from "vitest";
import { readAtMost } from "./read-at-most.ts";

async function* body(chunks: readonly string[], ended: string[] = []): AsyncGenerator<Uint8Array> {
  try {
    for (const chunk of chunks) yield Buffer.from(chunk);
  } finally {
    ended.push("ended");
  }
}

test("a body of just the size is read whole; of one byte more nothing is given, and the rest is not read", async () => {
  expect(String(await readAtMost(body(["ab", "", "cd"]), 4))).toBe("abcd");
  expect(String(await readAtMost(body([]), 0))).toBe("");
  const ended: string[] = [];
  expect(await readAtMost(body(["ab", "cde", "f"], ended), 4)).toBe("too_large");
  expect(ended).toEqual(["ended"]);
});
