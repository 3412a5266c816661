import { leafOf } from "../log/audit-event.ts";
import { Frontier } from "../tree/merkle.ts";
import { publicKeyText, signCheckpoint } from "../tree/checkpoint.ts";
import { keyOf } from "./open-audit.ts";

/** The lines of an export with so many events, made as they are read. */
export function* syntheticExport(events: number): Generator<string> {
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
export async function memoryOf(events: number, verify: (lines: Iterable<string>) => Promise<unknown>): Promise<number> {
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
