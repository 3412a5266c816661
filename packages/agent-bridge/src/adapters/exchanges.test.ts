import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentError, AgentProtocolConfig, AgentTask } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { AgentFailure } from "../agent-failure.ts";
import type { AgentReply } from "../client/agent-client.ts";
import { jsonReply, textReply } from "../testing/agent-answers.ts";
import { createAdapters } from "./adapters.ts";
import type { NormalisedResult, ProtocolAdapter, Reading } from "./protocol-adapter.ts";

interface Answer {
  readonly http_status: number;
  readonly response?: unknown;
  readonly response_text?: string;
}

/** As `packages/contracts/src/exchanges.test.ts` says. */
interface Exchange extends Answer {
  readonly row: string;
  readonly why: string;
  readonly protocol_config?: AgentProtocolConfig;
  readonly agent_task: AgentTask;
  readonly request?: unknown;
  readonly polls?: readonly (Answer & { readonly request: unknown })[];
  readonly result: {
    readonly status: "SUCCESS" | "FAILURE";
    readonly output_data: unknown;
    readonly error?: Partial<AgentError>;
    readonly error_message?: readonly string[];
  };
}

const fixtures = resolve(import.meta.dirname, "../../../../schemas/fixtures");

const exchangesOf = (folder: string): [string, Exchange][] =>
  globSync("*.json", { cwd: join(fixtures, folder) })
    .toSorted()
    .map((name) => [name, JSON.parse(readFileSync(join(fixtures, folder, name), "utf8")) as Exchange]);

const replyOf = ({ http_status, response, response_text }: Answer): AgentReply =>
  response_text === undefined ? jsonReply(response, http_status) : textReply(response_text, http_status);

function resultOf(adapter: ProtocolAdapter, { agent_task: task, polls = [], ...first }: Exchange): NormalisedResult {
  const read = (answer: Answer): Reading | AgentFailure => {
    try {
      return adapter.fromResponse(replyOf(answer), task);
    } catch (error) {
      if (error instanceof AgentFailure) return error;
      throw error;
    }
  };
  let reading = read(first);
  for (const poll of polls) {
    if (reading instanceof AgentFailure || reading.state !== "working") throw new Error("there is nothing to poll for");
    expect(adapter.toPoll?.(task, reading.remoteId)).toEqual(poll.request);
    reading = read(poll);
  }
  if (reading instanceof AgentFailure) return { task_id: task.task_id, status: "error", output: null, error: reading };
  if (reading.state === "working") throw new Error("the agent works on");
  return reading.result;
}

function replay(protocol: string, exchange: Exchange): void {
  const adapter = createAdapters().adapterOf({ protocol, protocol_config: exchange.protocol_config ?? {} });
  if (exchange.request !== undefined) expect(adapter.toRequest(exchange.agent_task)).toEqual(exchange.request);
  const result = resultOf(adapter, exchange);
  const { status, output_data, error, error_message = [] } = exchange.result;
  expect(Object.keys(result).toSorted()).toEqual(["error", "output", "status", "task_id"]);
  expect(result.task_id).toBe(exchange.agent_task.task_id);
  expect(result.status).toBe(status === "SUCCESS" ? "success" : "error");
  if (status === "SUCCESS") expect(result).toMatchObject({ output: output_data, error: null });
  else {
    expect(result.output).toBeNull();
    const json = JSON.parse(JSON.stringify(result.error)) as AgentError;
    expect(json).toMatchObject(error ?? {});
    expect(json.message).not.toBe("");
    for (const words of error_message) expect(json.message).toContain(words);
  }
}

describe("R1.1, R1.2, R1.3, R1.4, R1.5, R1.6, R1.7, R1.8, R1.9, R1.10: requests of jsonrpc-2.0", () => {
  test.each(exchangesOf("a2a/exchanges").filter(([, { row }]) => row.startsWith("R1")))("%s", (_, exchange) =>
    replay("jsonrpc-2.0", exchange),
  );
});

describe("R2.1, R2.2, R2.3, R2.4, R2.5, R2.6, R2.7, R2.8, R2.9, R2.10: responses of jsonrpc-2.0", () => {
  test.each(exchangesOf("a2a/exchanges").filter(([, { row }]) => row.startsWith("R2")))("%s", (_, exchange) =>
    replay("jsonrpc-2.0", exchange),
  );
});

describe("R3.2, R3.3, R3.4, R3.5, R3.6, R4.4, R4.5, B15, B16: results and errors of jsonrpc-2.0", () => {
  test.each(exchangesOf("a2a/exchanges").filter(([, { row }]) => /^R[34]/.test(row)))("%s", (_, exchange) =>
    replay("jsonrpc-2.0", exchange),
  );
});

describe("R6.1, R6.2, R6.3, R6.4, R6.5, R6.6: the input as jsonrpc-2.0 says it", () => {
  test.each(exchangesOf("a2a/exchanges").filter(([, { row }]) => row.startsWith("R6")))("%s", (_, exchange) =>
    replay("jsonrpc-2.0", exchange),
  );
});

describe("D1, R3.1, R3.6: simple-a2a", () => {
  test.each(exchangesOf("simple-a2a/exchanges"))("%s", (_, exchange) => replay("simple-a2a", exchange));
});
