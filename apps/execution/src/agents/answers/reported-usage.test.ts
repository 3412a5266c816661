import { isTaskUsage } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { addReported, onlyReported, reportedBy, usedFor, withReported } from "./reported-usage.ts";

const none = { agent: "A", cached_input_tokens: 0, cost: null };

test.each([
  [
    { metadata: { usage: { input_tokens: 12, output_tokens: 3, cached_input_tokens: 4, cost: 0.01 } } },
    { input_tokens: 12, output_tokens: 3, cached_input_tokens: 4, cost: 0.01 },
  ],
  [{ usage: { inputTokens: 12, outputTokens: 3 } }, { input_tokens: 12, output_tokens: 3 }],
  [{ usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } }, { input_tokens: 12, output_tokens: 3 }],
  [{ usage: { output_tokens: 3 } }, { input_tokens: 0, output_tokens: 3 }],
  [
    { metadata: { usage: { input_tokens: 1 } }, usage: { input_tokens: 99 } },
    { input_tokens: 1, output_tokens: 0 },
  ],
  [
    { usage: { input_tokens: 5, cached_input_tokens: 9, cost: -1 } },
    { input_tokens: 5, output_tokens: 0, cached_input_tokens: 5 },
  ],
  [{ usage: { input_tokens: 5, cached_input_tokens: "9", cost: 1e9 } }, { input_tokens: 5, output_tokens: 0 }],
])("%j is a report", (output, expected) => {
  expect(reportedBy("A", output)).toEqual({ ...none, ...expected });
});

test.each([
  ["text"],
  [null],
  [[{ usage: { input_tokens: 1 } }]],
  [{ usage: "12 tokens" }],
  [{ usage: {} }],
  [{ usage: { total_tokens: 5 } }],
  [{ usage: { input_tokens: -1 } }],
  [{ usage: { input_tokens: 1.5 } }],
  [{ usage: { input_tokens: "12" } }],
  [{ usage: { input_tokens: 1e13 } }],
  [{ usage: { input_tokens: 1, output_tokens: Number.NaN } }],
  [{ metadata: { usage: null } }],
])("%j is not a report", (output) => {
  expect(reportedBy("A", output)).toBeUndefined();
});

test("reports of one agent are added up; the cost is unknown if one of them omits it", () => {
  const report = (agent: string, cost: number | null) => ({
    agent,
    input_tokens: 5,
    output_tokens: 1,
    cached_input_tokens: 0,
    cost,
  });
  expect(addReported([report("A", 1), report("B", 1), report("A", 2), report("B", null)])).toEqual([
    { ...report("A", 3), input_tokens: 10, output_tokens: 2 },
    { ...report("B", null), input_tokens: 10, output_tokens: 2 },
  ]);
});

test("however many agents report, an answer stays within the contract, and no token is lost", () => {
  const many = Array.from({ length: 200 }, (_, index) => ({
    agent: `A${index}`,
    input_tokens: 1,
    output_tokens: 1,
    cached_input_tokens: 0,
    cost: null,
  }));
  const { usage } = onlyReported(many);
  expect(isTaskUsage(usage)).toBe(true);
  expect(usage?.reported).toHaveLength(50);
  expect(usage?.reported?.reduce((sum, { input_tokens }) => sum + input_tokens, 0)).toBe(200);
});

test("reported usage is separate from the zone's own usage", () => {
  const used = { model: "a/b", input_tokens: 7, output_tokens: 1, cached_input_tokens: 0, cost: 0.1 };
  const report = { agent: "A", input_tokens: 5, output_tokens: 1, cached_input_tokens: 0, cost: null };
  expect(withReported(used, [report])).toEqual({ ...used, reported: [report] });
  expect(withReported(used, [])).toBe(used);
  expect(onlyReported([undefined])).toEqual({});
  const answer = { response_text: "", usage: withReported(used, [report]) };
  expect(usedFor(answer, "B")).toEqual([{ ...report, agent: "B", input_tokens: 7, cost: 0.1 }, report]);
  expect(usedFor({ response_text: "", usage: "much" }, "B")).toEqual([]);
});
