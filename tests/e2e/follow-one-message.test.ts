import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import type { LogLine } from "@crosszone/testkit/process";
import { type CollectedSpan, startOtlpCollector } from "../harness/otlp-collector.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/operations.md"), "utf8");
const section = /^## Follow one message\n([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
const [shownLog = "", shownTree = ""] = [...section.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text]) => text);

const keysOf = (line: LogLine): Set<string> => new Set(Object.keys(line));

/** Returns whether a line has all members of a line on the page. */
const isLike =
  (shown: LogLine) =>
  (line: LogLine): boolean =>
    ["zone", "event", "operation", "level"].every((key) => line[key] === shown[key]) &&
    keysOf(shown).isSubsetOf(keysOf(line));

/** Returns a line for each span below its parent, in order of their start. */
function treeOf(spans: readonly CollectedSpan[], parent?: string, depth = 0): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .flatMap(({ service, name, spanId }) => [
      `${String(service).padEnd(24)}${"  ".repeat(depth)}${name}`,
      ...treeOf(spans, spanId, depth + 1),
    ]);
}

test("Z13: the log lines and spans of one message are those on the operations page", async () => {
  const collector = await startOtlpCollector();
  const zones = await startCrosszone({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  await zones.answerTo(zones.write({ text: "6*7" }));
  await vi.waitFor(() => expect(zones.log.map(({ event }) => event)).toContain("answer_posted"));
  await zones.verification.stop();
  await zones.execution.stop();

  const accepted = zones.log.find(({ event }) => event === "event_accepted");
  const lines = zones.log.filter((line) => line["correlation_id"] === accepted?.["correlation_id"]);
  const shown = shownLog
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown.map((line) => line["correlation_id"])).size).toBe(1);
  expect(shown.filter((line) => !lines.some(isLike(line)))).toEqual([]);

  const spans = collector.spans.filter(({ traceId }) => traceId === accepted?.["trace_id"]);
  const tree = shownTree.trimEnd().split("\n");
  expect(tree.length).toBeGreaterThan(7);
  expect(tree.filter((line) => !treeOf(spans).includes(line))).toEqual([]);
});
