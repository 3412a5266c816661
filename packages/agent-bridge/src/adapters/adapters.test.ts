import type { AgentTask } from "@crosszone/contracts";
import { readExchanges, type Exchange, type ExchangeAnswer } from "@crosszone/contracts/corpus";
import { describe, expect, test } from "vitest";
import {
  AgentFailure,
  type AgentReply,
  failedWith,
  type ProtocolAdapter,
  type Reading,
} from "../protocol/protocol-adapter.ts";
import { jsonReply, newAgentTask, textReply } from "../testing/agent-record.ts";
import { builtinAdapters, createAdapters } from "./adapters.ts";

describe("the adapters", () => {
  test("D2: an unknown protocol is refused, naming the supported ones", () => {
    const adapters = createAdapters();
    expect(adapters.supported).toEqual(Object.keys(builtinAdapters).toSorted());
    const known = adapters.supported.join(", ");
    for (const protocol of ["grpc", "constructor", "__proto__", ""]) {
      const message = `Unsupported protocol: ${protocol}. Supported protocols: ${known}.`;
      const refusal = expect.objectContaining({ name: "AgentFailure", kind: "protocol_unsupported", message }) as Error;
      expect(() => adapters.adapterOf({ protocol, protocol_config: {} })).toThrow(refusal);
    }
  });

  test("D2: a protocol can be added from outside", () => {
    const mine: ProtocolAdapter = {
      protocol: "mine",
      toRequest: ({ task_id }) => [task_id],
      fromResponse: () => ({ state: "ended", output: 1, warnings: [] }),
    };
    const adapters = createAdapters({ ...builtinAdapters, mine: () => mine });
    expect(adapters.supported).toEqual([...Object.keys(builtinAdapters), "mine"].toSorted());
    expect(adapters.adapterOf({ protocol: "mine", protocol_config: {} })).toBe(mine);
  });

  test("D1: the older protocol warns about a different task_id and a missing output, and accepts no configuration", () => {
    const adapter = createAdapters().adapterOf({ protocol: "simple-a2a", protocol_config: {} });
    const reading = adapter.fromResponse(jsonReply({ task_id: "t2", status: "success", answer: 42 }), newAgentTask());
    expect(reading).toMatchObject({ output: { task_id: "t2", status: "success", answer: 42 } });
    expect(reading.warnings).toEqual([
      'task_id is "t2" instead of ours',
      "output is missing, so the output is the whole answer",
    ]);
    const method = { method: "message/send" as const };
    const refusal = { kind: "protocol_unsupported", message: expect.stringContaining("remove it") };
    expect(() => createAdapters().adapterOf({ protocol: "simple-a2a", protocol_config: method })).toThrow(
      expect.objectContaining(refusal),
    );
  });
});

const replyOf = ({ http_status, response, response_text }: ExchangeAnswer): AgentReply =>
  response_text === undefined ? jsonReply(response, http_status) : textReply(response_text, http_status);

/** How an adapter translates an exchange: the first request, the polls, and the result. */
function replay(
  protocol: string,
  exchange: Exchange,
): { readonly requests: unknown[]; readonly output: unknown; readonly failure?: unknown } {
  const { agent_task: task, polls = [], protocol_config = {} } = exchange;
  const adapter = createAdapters().adapterOf({ protocol, protocol_config });
  const requests = [adapter.toRequest(task)];
  for (const answer of [exchange, ...polls]) {
    const reading = read(adapter, answer, task);
    if (reading.state === "ended")
      return { requests, ...(JSON.parse(JSON.stringify(reading)) as { readonly output: unknown }) };
    requests.push(adapter.toPoll?.(task, reading.remoteId));
  }
  throw new Error("the agent works on");
}

function read(adapter: ProtocolAdapter, answer: ExchangeAnswer, task: AgentTask): Reading {
  try {
    return adapter.fromResponse(replyOf(answer), task);
  } catch (error) {
    if (error instanceof AgentFailure) return failedWith(error);
    throw error;
  }
}

const anything: unknown = expect.anything();

/** What the exchange expects: at least these members of an output or error, and a message with at least these words. */
function wanted({ request, polls = [], result }: Exchange): object {
  const words = (result.error_message ?? []).map((word) => `(?=.*${RegExp.escape(word)})`);
  const failed = { ...result.error, message: expect.stringMatching(new RegExp(`^${words.join("")}.+`)) as unknown };
  const requests = [request ?? anything, ...polls.map((poll) => poll.request)];
  if (result.status === "SUCCESS") return { requests, output: result.output_data };
  return { requests, output: null, failure: failed };
}

describe.each([
  ["R1.1, R1.2, R1.3, R1.4, R1.5, R1.6, R1.7, R1.8, R1.9, R1.10, R8.1: requests of jsonrpc-2.0", /^R1/],
  ["R2.1, R2.2, R2.3, R2.4, R2.5, R2.10, R8.2: responses of jsonrpc-2.0", /^R2\.([1-5]|10)$/],
  ["R2.6, R2.7, R8.3: artifacts of jsonrpc-2.0", /^R2\.[67]$/],
  ["R2.8, R2.9, R8.4: histories of jsonrpc-2.0", /^R2\.[89]$/],
  ["R3.2, R3.3, R3.4, R3.5, R3.6, R4.4, R4.5, R8.5, B15, B16: results and errors of jsonrpc-2.0", /^R[34]/],
  ["R6.1, R6.2, R6.3, R6.4, R6.5, R6.6: the input in jsonrpc-2.0", /^R6/],
])("%s", (_, rows) => {
  const exchanges = readExchanges("a2a").filter(({ row }) => rows.test(row));
  test.each(exchanges)("$name", (exchange) => {
    expect(replay("jsonrpc-2.0", exchange)).toMatchObject(wanted(exchange));
  });
});

describe("D1, R3.1, R3.6: simple-a2a", () => {
  test.each(readExchanges("simple-a2a"))("$name", (exchange) => {
    expect(replay("simple-a2a", exchange)).toMatchObject(wanted(exchange));
  });
});
