// suite: both
// inputs: packages/audit/** packages/sql/**
import { expect, inject, test } from "vitest";
import { keyOf } from "../testing/open-audit.ts";
import { leafOf, publicKeyText, readPublicKey, Frontier, signCheckpoint } from "../tree.ts";
import { verifyAudit } from "./verify-audit.ts";

/** Yields the lines of an export with this many events. */
function* syntheticExport(events: number): Generator<string> {
  const [key, origin] = [keyOf(1), "crosszone-audit/test/00000000"];
  const tree = Frontier.of(0, "");
  const base = { size: 0, frontier: "" };
  yield JSON.stringify({ format: "crosszone-audit/1", origin, public_key: publicKeyText(key), base });
  for (let position = 0; position < events; position += 1) {
    const event = { id: `${position}`, action: "test.act", actor: { type: "person", id: `U${position % 99}` } };
    const leaf = leafOf(event);
    tree.append(leaf);
    yield JSON.stringify({ position, leaf: leaf.toString("base64"), event });
    if (tree.size % 1_000 !== 0 && tree.size !== events) continue;
    const root = tree.root().toString("base64");
    yield JSON.stringify({ checkpoint: signCheckpoint({ origin, size: tree.size, root }, key) });
  }
}

/** Returns the growth of the memory in use while a log of this size is verified, bytes. */
async function memoryOf(events: number, verify: (lines: Iterable<string>) => Promise<unknown>): Promise<number> {
  let most = 0;
  const start = process.memoryUsage().heapUsed;
  function* watched(): Generator<string> {
    let read = 0;
    for (const line of syntheticExport(events)) {
      if ((read += 1) % 5_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - start);
      yield line;
    }
  }
  await verify(watched());
  return most;
}

const events = inject("engines") === "both" ? 1_000_000 : 50_000;

test("V2: a million events are verified in one pass, with the memory of a few", async () => {
  const keys = [readPublicKey(publicKeyText(keyOf(1)))];
  const most = await memoryOf(events, async (lines) => {
    const verdict = await verifyAudit(lines, { keys });
    expect(verdict).toMatchObject({ events, checkpoints: events / 1_000 });
    expect(verdict.finding).toBeUndefined();
  });
  expect(most).toBeLessThan(150_000_000);
}, 300_000);
