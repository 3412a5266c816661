import { createAdapters } from "../adapters/adapters.ts";
import { jsonReply, resultOf, taskIn } from "./agent-answers.ts";
import { newAgentTask } from "./agent-record.ts";

/** The shortest of many runs, milliseconds: what the work takes when nobody else has the processor. */
function shortest(work: () => unknown): number {
  const runs = Array.from({ length: 100 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}

/** About so many bytes of JSON, half of it one text and half of it rows. */
function contentOf(bytes: number): { text: string; rows: object[] } {
  const rows = Array.from({ length: bytes / 200 }, (_, id) => ({ id, name: "n".repeat(70), ok: true }));
  return { text: "words and more ".repeat(bytes / 30), rows };
}

/** What translating costs, milliseconds, by protocol and bytes. Run by itself: a test runner rewrites imports, and its code is slower. */
function measure(protocol: string, bytes: number): object {
  const adapter = createAdapters().adapterOf({ protocol, protocol_config: {} });
  const { text, rows } = contentOf(bytes);
  const task = newAgentTask({ input_data: { text, rows } });
  const parts = [
    { kind: "text", text },
    { kind: "data", data: rows },
  ];
  const result = resultOf(taskIn("completed", { artifacts: [{ artifactId: "a", parts }] }));
  const older = { task_id: "t1", status: "success", output: { text, rows } };
  const reply = jsonReply(protocol === "simple-a2a" ? older : result);
  return {
    protocol,
    bytes: reply.body.byteLength,
    requestMs: shortest(() => JSON.stringify(adapter.toRequest(task))),
    responseMs: shortest(() => adapter.fromResponse(reply, task)),
  };
}

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const measured = createAdapters().supported.flatMap((protocol) => sizes.map((bytes) => measure(protocol, bytes)));
process.stdout.write(`${JSON.stringify(measured)}\n`);
