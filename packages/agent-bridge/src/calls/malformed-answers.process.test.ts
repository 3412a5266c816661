// suite: rest
// @module-tag judge
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answering, startCall } from "../testing/start-call.ts";

test("N3, D5: ten thousand malformed answers are successes or one reported failure each", async () => {
  const near = fc.oneof(fc.constantFrom("2.0", "t1", null, 1, "completed", "failed", "working"), fc.jsonValue());
  const member = fc.constantFrom("jsonrpc", "id", "error", "result", "status", "artifacts", "history", "parts", "kind");
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      near,
      fc.dictionary(member, tie("value")),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
  })).value;
  const task = tree.chain((id) => near.map((state) => ({ id, status: { state }, artifacts: [{ parts: id }] })));
  const envelope = fc.oneof(
    tree,
    fc.record({ jsonrpc: fc.constant("2.0"), id: fc.constant("t1"), result: fc.oneof(tree, task) }),
  );
  const bytes = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    envelope.map((value) => JSON.stringify(value)),
  );
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(bytes, async (text) => {
      const { end, eventsOf } = startCall({ deps: { client: answering(() => text) } });
      const { failure, output, attempts } = await end;
      expect(JSON.stringify(output)).not.toBe("{}");
      const ends = [...eventsOf("agent_call_ended"), ...eventsOf("agent_call_failed")];
      expect([attempts, ends.length]).toEqual([1, 1]);
      expect(output === null || failure === undefined).toBe(true);
      expect(failure?.message).not.toBe("");
      // An adapter that throws is an internal error.
      expect(failure?.kind).not.toBe("internal");
      kinds.add(failure?.kind ?? "success");
    }),
    {
      numRuns: 10_000,
      examples: [['{"jsonrpc":"2.0","id":"t1","result":{"id":"2.0","status":"working","artifacts":"2.0"}}']],
    },
  );
  expect([...kinds]).toEqual(expect.arrayContaining(["invalid_envelope", "not_json", "success", "task_state_unknown"]));
}, 240_000);
