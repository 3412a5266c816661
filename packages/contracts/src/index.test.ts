import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readContract } from "./testing/contract.ts";
import { readExchanges } from "./testing/corpus.ts";
import * as contracts from "./index.ts";
import {
  isA2AMessageSendRequest,
  isA2ATasksGetRequest,
  isAgentErrorKind,
  isAgentTask,
  isSimpleA2ARequest,
  problemsOf,
  type Validator,
} from "./index.ts";

const declared = readFileSync(join(import.meta.dirname, "generated/types.ts"), "utf8");

const rowsOf = (requirement: string, ...[first, last]: [first: number, last: number]): string[] =>
  Array.from({ length: last - first + 1 }, (_, more) => `${requirement}.${first + more}`);

const rows: Record<string, string[]> = {
  a2a: [rowsOf("R1", 1, 10), rowsOf("R2", 1, 10), rowsOf("R3", 2, 6), rowsOf("R4", 1, 7), rowsOf("R6", 1, 6)].flat(),
  "simple-a2a": ["D1", "R3.1", "R3.6"],
};

test("every type of the contract is exported, with its validator", () => {
  for (const { title } of readContract().types) {
    expect(declared).toMatch(new RegExp(`^export (interface|type) ${title}\\b`, "m"));
    expect(contracts).toHaveProperty(`is${title}`);
  }
});

describe.each([
  ["a2a", isA2AMessageSendRequest],
  ["simple-a2a", isSimpleA2ARequest],
] as const)("the exchanges of %s", (protocol, isRequest) => {
  const exchanges = readExchanges(protocol);

  test("show each of their requirements", () => {
    expect([...new Set(exchanges.map(({ row }) => row))].toSorted()).toEqual(rows[protocol]?.toSorted());
  });

  test.each(exchanges)("$name is valid", (exchange) => {
    const { agent_task: task, request, polls = [], result } = exchange;
    expect(problemsOf(isAgentTask, task)).toEqual([]);
    const requests = request === undefined ? [] : [request];
    expect(requests.flatMap((one) => problemsOf(isRequest as Validator<unknown>, one))).toEqual([]);
    expect(polls.flatMap((poll) => problemsOf(isA2ATasksGetRequest, poll.request))).toEqual([]);
    const failed = result.status === "FAILURE";
    expect([failed, result.output_data === null]).toEqual([failed, failed]);
    expect(isAgentErrorKind(result.error?.kind)).toBe(failed);
  });
});
