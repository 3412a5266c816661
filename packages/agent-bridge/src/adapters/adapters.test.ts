import { describe, expect, test } from "vitest";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { jsonReply } from "../testing/agent-answers.ts";
import { newAgentTask } from "../testing/agent-record.ts";
import { builtinAdapters, createAdapters } from "./adapters.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe("the adapters", () => {
  test("D2: an unknown protocol is refused, naming the supported ones", () => {
    const adapters = createAdapters();
    expect(adapters.supported).toEqual(Object.keys(builtinAdapters).toSorted());
    const known = adapters.supported.join(", ");
    for (const protocol of ["grpc", "constructor", "__proto__", ""]) {
      expect(adapters.isSupported(protocol)).toBe(false);
      const error = thrownBy(() => adapters.adapterOf({ protocol, protocol_config: {} }));
      expect(error).toBeInstanceOf(AgentFailure);
      expect(error).toMatchObject({
        kind: "protocol_unsupported",
        message: `Unsupported protocol: ${protocol}. Supported protocols: ${known}.`,
      });
    }
  });

  test("D2: a protocol can be added from outside", () => {
    const mine: ProtocolAdapter = {
      protocol: "mine",
      toRequest: ({ task_id }) => [task_id],
      fromResponse: (_, { task_id }) => ({
        state: "ended",
        result: { task_id, status: "success", output: 1, error: null },
        warnings: [],
      }),
    };
    const adapters = createAdapters({ ...builtinAdapters, mine: () => mine });
    expect(adapters.supported).toEqual([...Object.keys(builtinAdapters), "mine"].toSorted());
    expect(adapters.adapterOf({ protocol: "mine", protocol_config: {} })).toBe(mine);
  });

  test("D1: the older protocol warns about a different task_id and a missing output, and accepts no configuration", () => {
    const adapter = createAdapters().adapterOf({ protocol: "simple-a2a", protocol_config: {} });
    const reading = adapter.fromResponse(jsonReply({ task_id: "t2", status: "success", answer: 42 }), newAgentTask());
    expect(reading).toMatchObject({
      result: { task_id: "t1", output: { task_id: "t2", status: "success", answer: 42 } },
    });
    expect(reading.warnings).toEqual([
      'task_id is "t2" instead of ours',
      "output is missing, so the output is the whole answer",
    ]);
    const method = { method: "message/send" as const };
    const error = thrownBy(() => createAdapters().adapterOf({ protocol: "simple-a2a", protocol_config: method }));
    expect(error).toMatchObject({ kind: "protocol_unsupported", message: expect.stringContaining("remove it") });
  });
});
