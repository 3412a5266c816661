import { createAdapters } from "../adapters/adapters.ts";
import { jsonReply, resultOf, taskIn } from "./agent-answers.ts";
import { newAgentTask } from "./agent-record.ts";

/** Times of many runs, microseconds. The shortest is the cost without competing load. */
interface Spread {
  readonly shortestUs: number;
  readonly p50Us: number;
  readonly p95Us: number;
}

/** Warm-up runs don't count. */
function spreadOf(work: () => unknown): Spread {
  const runs = Array.from({ length: 400 }, () => {
    const startedAt = performance.now();
    work();
    return (performance.now() - startedAt) * 1_000;
  });
  const sorted = runs.slice(200).toSorted((a, b) => a - b);
  const [shortestUs = Number.NaN, p50Us = Number.NaN, p95Us = Number.NaN] = [sorted[0], sorted[100], sorted[190]];
  return { shortestUs, p50Us, p95Us };
}

/** Returns about this many bytes of JSON, half of it one text and half of it rows. */
function contentOf(bytes: number): { text: string; rows: object[] } {
  const rows = Array.from({ length: bytes / 200 }, (_, id) => ({ id, name: "n".repeat(70), ok: true }));
  return { text: "words and more ".repeat(bytes / 30), rows };
}

/**
 * Measures the cost of translation, by protocol and bytes. Run it directly: a test runner rewrites imports, which makes
 * the code slower.
 */
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
    request: spreadOf(() => JSON.stringify(adapter.toRequest(task))),
    response: spreadOf(() => adapter.fromResponse(reply, task)),
  };
}

const sizes = [1_000, 16_000, 100_000, 1_000_000];
const protocols = createAdapters().supported.filter((protocol) => protocol !== "auto");
const measured = protocols.flatMap((protocol) => sizes.map((bytes) => measure(protocol, bytes)));
process.stdout.write(`${JSON.stringify(measured)}\n`);
