import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readJson } from "../scripts/read-json.ts";
import {
  isA2AMessageSendRequest,
  isA2ATasksGetRequest,
  isAgentErrorKind,
  isAgentTask,
  isSimpleA2ARequest,
  problemsOf,
  type AgentError,
  type Validator,
} from "./index.ts";

/** An answer over HTTP: a JSON value, or text that is none. */
interface Answer {
  readonly http_status: number;
  readonly response?: unknown;
  readonly response_text?: string;
}

/** One task at an agent, from the message on the bus to the result on the bus. */
interface Exchange extends Answer {
  /** The requirement that it shows. */
  readonly row: string;
  readonly why: string;
  /** That of the agent, none when absent. */
  readonly protocol_config?: object;
  readonly agent_task: unknown;
  /** The body that the agent gets, exactly. */
  readonly request?: unknown;
  /** What the agent is asked after that, and its answers. */
  readonly polls?: readonly (Answer & { readonly request: unknown })[];
  readonly result: {
    readonly status: "SUCCESS" | "FAILURE";
    /** On SUCCESS: members that the output has at least. */
    readonly output_data: unknown;
    /** Members that the error has at least. */
    readonly error?: Partial<AgentError>;
    /** What the text of the error says, among other things. */
    readonly error_message?: readonly string[];
  };
}

const fixtures = resolve(import.meta.dirname, "../../../schemas/fixtures");
const read = (folder: string): [name: string, exchange: Exchange][] =>
  globSync("*.json", { cwd: join(fixtures, folder) })
    .toSorted()
    .map((name) => [name, readJson(join(fixtures, folder), name) as Exchange]);

const rowsOf = (requirement: string, ...[first, last]: [first: number, last: number]): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${requirement}.${first + index}`);
const rows: Record<string, string[]> = {
  a2a: [rowsOf("R1", 1, 10), rowsOf("R2", 1, 10), rowsOf("R3", 2, 6), rowsOf("R4", 1, 7), rowsOf("R6", 1, 6)].flat(),
  "simple-a2a": ["D1", "R3.1", "R3.6"],
};
const members = "row why protocol_config agent_task request http_status response response_text polls result".split(" ");

describe.each([
  ["a2a", isA2AMessageSendRequest],
  ["simple-a2a", isSimpleA2ARequest],
] as const)("the exchanges of %s", (protocol, isRequest) => {
  const exchanges = read(`${protocol}/exchanges`);

  test("show each of their requirements", () => {
    expect([...new Set(exchanges.map(([, { row }]) => row))].toSorted()).toEqual(rows[protocol]?.toSorted());
  });

  test.each(exchanges)("%s is one", (_, exchange) => {
    const { agent_task: task, request, polls = [], result } = exchange;
    expect(members).toEqual(expect.arrayContaining(Object.keys(exchange)));
    expect(problemsOf(isAgentTask, task)).toEqual([]);
    const requests = request === undefined ? [] : [request];
    expect(requests.flatMap((one) => problemsOf(isRequest as Validator<unknown>, one))).toEqual([]);
    expect(polls.flatMap((poll) => problemsOf(isA2ATasksGetRequest, poll.request))).toEqual([]);
    for (const answer of [exchange, ...polls]) expect("response" in answer).toBe(!("response_text" in answer));
    const failed = result.status === "FAILURE";
    expect([failed, result.output_data === null]).toEqual([failed, failed]);
    expect(isAgentErrorKind(result.error?.kind)).toBe(failed);
  });
});
