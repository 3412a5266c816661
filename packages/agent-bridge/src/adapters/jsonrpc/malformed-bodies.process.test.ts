import * as fc from "fast-check";
import { expect, test } from "vitest";
import { textReply } from "../../testing/agent-answers.ts";
import { newAgentTask } from "../../testing/agent-record.ts";
import type { NormalizedResult, AgentReply } from "../../protocol/protocol-adapter.ts";
import { ProtocolTranslationError } from "../../protocol/agent-failure.ts";
import { createJsonRpcAdapter } from "./jsonrpc-adapter.ts";

const adapter = createJsonRpcAdapter({});

/** How a reply is read, in one word; another word for an invalid reading. */
function judge(reply: AgentReply): string {
  try {
    const reading = adapter.fromResponse(reply, newAgentTask());
    if (reading.state === "working") return reading.state;
    const { task_id, status, output, error } = JSON.parse(JSON.stringify(reading.result)) as NormalizedResult;
    const isWhole = error === null ? JSON.stringify(output) !== "{}" : output === null && error.message !== "";
    return task_id === "t1" && isWhole ? status : `half a result: ${JSON.stringify(reading)}`;
  } catch (error) {
    const { protocol, direction, retryable } = error as ProtocolTranslationError;
    const isTold = error instanceof ProtocolTranslationError && protocol === "jsonrpc-2.0" && direction === "response";
    return isTold && !retryable ? "broken" : `thrown: ${String(error)}`;
  }
}

test("N3, D5: ten thousand malformed bodies cause only translation errors and failures", () => {
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
  const readings = new Map<string, number>();
  fc.assert(
    fc.property(bytes, fc.constantFrom(200, 204, 400, 500), (text, status) => {
      const judged = judge(textReply(text, status));
      readings.set(judged, (readings.get(judged) ?? 0) + 1);
    }),
    { numRuns: 10_000 },
  );
  expect([...readings.keys()].toSorted()).toEqual(["broken", "error", "success", "working"]);
  expect(readings.get("broken")).toBeGreaterThan(1_000);
}, 240_000);
