import { createAdapters } from "../adapters/adapters.ts";
import { jsonReply, resultOf, taskIn, newAgentTask } from "./agent-record.ts";

/** Returns the least CPU time of many runs, milliseconds. Warm-up runs don't count. */
function shortest(work: () => unknown): number {
  const runs = Array.from({ length: 400 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs.slice(200));
}

/**
 * Measures the cost of translation, by protocol and bytes. Run it directly: a test runner rewrites imports, which makes
 * the code slower.
 */
function measure(protocol: string, bytes: number): object {
  const adapter = createAdapters().adapterOf({ protocol, protocol_config: {} });
  const text = "words and more ".repeat(bytes / 30);
  const rows = Array.from({ length: bytes / 200 }, (_, id) => ({ id, name: "n".repeat(70), ok: true }));
  const task = newAgentTask({ input_data: { text, rows } });
  const parts = [
    { kind: "text", text },
    { kind: "data", data: rows },
  ];
  const result = resultOf(taskIn("completed", { artifacts: [{ artifactId: "a", parts }] }));
  const reply = jsonReply(protocol === "simple-a2a" ? { status: "success", output: { text, rows } } : result);
  return {
    protocol,
    bytes: reply.body.byteLength,
    requestMs: shortest(() => JSON.stringify(adapter.toRequest(task))),
    responseMs: shortest(() => adapter.fromResponse(reply, task)),
  };
}

const sizes = [1_000, 16_000, 100_000, 1_000_000];
const protocols = createAdapters().supported.filter((protocol) => protocol !== "auto");
const measured = protocols.flatMap((protocol) => sizes.map((bytes) => measure(protocol, bytes)));
process.stdout.write(`${JSON.stringify(measured)}\n`);
