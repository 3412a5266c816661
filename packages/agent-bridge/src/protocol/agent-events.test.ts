import { agentErrorTable } from "@crosszone/contracts";
import { createEmit, createLogger, createMetrics, type LogLevel } from "@crosszone/service-kit";
import { executionEvents, executionSubjects } from "@crosszone/telemetry";
import { describe, expect, test } from "vitest";
import { doneWith, resultOf, taskIn } from "../testing/agent-record.ts";
import { startAgent, type AnswerOfAgent } from "../testing/http-agents.ts";
import { startCall } from "../testing/start-call.ts";

interface Line {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

type Watched = ReturnType<typeof watch>;

function watch(level: LogLevel = "debug", content = true) {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const logger = createLogger({ zone: "execution", level, events: executionEvents, destination, content });
  const metrics = createMetrics();
  const sets = {
    agent: (name: string) => name === "A",
    agent_error_kind: Object.keys(agentErrorTable),
    protocol: ["jsonrpc-2.0", "simple-a2a"],
  };
  const measured = { registry: metrics.registry, sets };
  return {
    emit: createEmit({ logger, events: executionSubjects.Agents as typeof executionEvents, measured }),
    lines: () => written.map((line) => JSON.parse(line) as Line),
    metrics: async () => (await metrics.render()).body,
  };
}

async function callWith(watched: Watched, ...answers: AnswerOfAgent[]): Promise<Line[]> {
  const agent = await startAgent((_, index) => answers[Math.min(index, answers.length - 1)] ?? {});
  await startCall({ agent: { url: agent.url }, deps: { emit: watched.emit } }).end;
  return watched.lines();
}

const eventsOf = (lines: readonly Line[], ...levels: string[]): string[] =>
  lines.filter(({ level }) => levels.includes(level)).map(({ event }) => event);

describe("the log of a call", () => {
  test("R7.1, R7.2, R7.3, R7.5: request and response at debug, output at info, the ids on every line", async () => {
    const lines = await callWith(watch(), { status: 503, body: "" }, { body: resultOf(doneWith("Bonjour")) });
    const told = ["protocol_request_translation", "protocol_response_translation"];
    expect(eventsOf(lines, "debug")).toEqual([...told, ...told]);
    expect(lines[0]).toMatchObject({ request: { method: "message/send", params: { message: { role: "user" } } } });
    expect(lines.at(-2)).toMatchObject({ status: 200, response: expect.stringContaining('"completed"') });
    expect(lines.at(-1)).toMatchObject({ level: "info", event: "agent_call_ended", output: "Bonjour" });
    for (const line of lines)
      expect(line).toMatchObject({
        run_id: "r1",
        task_id: "t1",
        agent_name: "A",
        correlation_id: "c1",
        protocol: "jsonrpc-2.0",
      });
    expect(lines.every(({ event_unlisted: unlisted }) => unlisted === undefined)).toBe(true);
  });

  test("R7.3, R4.1: outputs and bodies are truncated, and their secrets redacted", async () => {
    const secret = "xoxb-1234567890-abcdef";
    const output = { text: `token=${secret} ${"x".repeat(50_000)}`, metadata: { bot_token: secret } };
    const done = taskIn("completed", {
      artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: output.text }] }],
      ...output,
    });
    for (const body of [resultOf(done), `<html>${secret}${"x".repeat(50_000)}`]) {
      const lines = await callWith(watch(), { body });
      const text = JSON.stringify(lines);
      expect(text).not.toContain(secret);
      expect(text.length).toBeLessThan(30_000);
    }
  });

  test("O32: with LOG_CONTENT off, no line at any level has a word of an agent; with it on, an answer is there once, in part", async () => {
    const said = `planted-${"word ".repeat(100)}`;
    const failing = (state: string) => taskIn(state, { status: { state, message: doneWith(said) } });
    const error = (code: number) => ({ jsonrpc: "2.0", id: "t1", error: { code, message: said, data: { said } } });
    const answers: AnswerOfAgent[] = [
      { body: resultOf(doneWith(said)) },
      { body: resultOf(taskIn("completed", { artifacts: [1], metadata: { said } })) },
      ...["failed", "rejected", "canceled", "input-required", "auth-required"].map((of) => ({
        body: resultOf(failing(of)),
      })),
      { body: resultOf({ status: said, history: said, [said]: said }) },
      { body: error(7) },
      { body: error(-32_603), status: 500 },
      { body: said },
      { body: `{"jsonrpc":"2.0","id":"t1","result":{"a":${said}}}` },
      { body: { jsonrpc: said, id: said, [said]: said } },
      { status: 400, body: said },
      { status: 503, body: said },
      { status: 401, body: said, headers: { "www-authenticate": `Bearer error="${said}"` } },
    ];
    for (const answer of answers) {
      const lines = await callWith(watch("debug", false), answer);
      expect(lines.length).toBeGreaterThan(1);
      expect(JSON.stringify(lines)).not.toContain("planted");
    }
    const lines = await callWith(watch("info"), { body: resultOf(doneWith(said)) });
    expect(lines.at(-1)?.["output"]).toBe(`${said.slice(0, 200)}…`);
    expect(JSON.stringify(lines).split("planted")).toHaveLength(2);
  });

  test("R7.4, R4.1, R4.2, R4.3, D5: each failure logs one error, with kind, attempt, agent and duration", async () => {
    const error = { jsonrpc: "2.0", id: "t1", error: { code: 7, message: "no" } };
    const cases: [event: string, answer: AnswerOfAgent, fields: object][] = [
      ["protocol_translation_error", { body: "<html>oops" }, { kind: "not_json", data: "<html>oops" }],
      [
        "protocol_translation_error",
        { body: { ...error, jsonrpc: "1.0" } },
        { kind: "invalid_envelope", direction: "response" },
      ],
      ["protocol_translation_error", { body: { jsonrpc: "2.0", id: "t1" } }, { kind: "invalid_envelope" }],
      ["agent_call_failed", { body: error }, { kind: "rpc_error", error: { code: 7 } }],
      ["agent_call_failed", { status: 400, body: "no" }, { kind: "http_error" }],
      ["agent_call_failed", { status: 503, body: "" }, { kind: "http_unavailable", attempt: 3 }],
    ];
    for (const [event, answer, fields] of cases) {
      const lines = await callWith(watch("info"), answer);
      expect(eventsOf(lines, "error")).toEqual([event]);
      const line = lines.find(({ level }) => level === "error");
      expect(line).toMatchObject({
        attempt: expect.any(Number),
        agent_name: "A",
        duration_ms: expect.any(Number),
        ...fields,
      });
    }
  });

  test("R4.6, R4.7: an unextractable output logs one error, an anomaly one warning, and both calls succeed", async () => {
    const unreadable = await callWith(watch("info"), { body: resultOf(taskIn("completed", { artifacts: [1] })) });
    expect(eventsOf(unreadable, "error")).toEqual(["protocol_translation_error"]);
    expect(unreadable.at(-1)).toMatchObject({ event: "agent_call_ended", status: "success" });
    const odd = await callWith(watch("info"), { body: resultOf({ status: "completed", history: 7 }) });
    expect(eventsOf(odd, "error", "warn")).toEqual(["protocol_response_odd"]);
    expect(odd.at(-1)).toMatchObject({ event: "agent_call_ended", status: "success" });
  });
});

test("M1: metrics count requests by protocol and agent, translation time and translation failures", async () => {
  const watched = watch("silent");
  await callWith(watched, { status: 503, body: "" }, { body: "<html>" });
  watched.emit("agent_circuit_changed", { agent_name: "made up", from: "closed", to: "open" });
  const text = await watched.metrics();
  for (const line of [
    'agent_protocol_requests_total{protocol="jsonrpc-2.0",agent_name="A"} 2',
    'protocol_translation_duration_seconds_count{protocol="jsonrpc-2.0",direction="request"} 2',
    'protocol_translation_duration_seconds_count{protocol="jsonrpc-2.0",direction="response"} 1',
    'protocol_translation_errors_total{protocol="jsonrpc-2.0",direction="response",error_type="not_json"} 1',
    'agent_call_requests_total{agent_name="A",outcome="not_json"} 1',
    'agent_call_retries_total{agent_name="A",error_type="http_unavailable"} 1',
    'agent_circuit_changes_total{agent_name="other",to="open"} 1',
  ])
    expect(text).toContain(line);
});
