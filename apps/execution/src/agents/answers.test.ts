import { type AgentRecord, isTaskUsage } from "@crosszone/contracts";
import { cpuMsOf } from "@crosszone/testkit/cpu";
import { array, assert, jsonValue, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { answerWith, type FetchAgentFile, fetchLinkedFiles, responseText } from "./answer-with.ts";
import { askedPartsOf } from "./answer-parts.ts";
import { addReported, onlyReported, reportedBy, usedFor, withReported } from "./result-answer.ts";

const textPart = (value: string) => ({ kind: "text", text: value });

const file = (name: string, bytes: string, mimeType?: string) => ({
  kind: "file",
  file: { name, bytes: Buffer.from(bytes).toString("base64"), mimeType },
});

const outputOf = (...artifacts: readonly (readonly object[])[]) => ({
  text: "joined\nby\nlines",
  response: "on it",
  artifacts: artifacts.map((parts, index) => ({ artifactId: String(index), parts })),
});

const agent = { name: "A", url: "https://agent.example.com/a2a" } as AgentRecord;

const { signal } = new AbortController();

const linked = (uri: string) => ({ kind: "file", file: { name: uri.split("/").at(-1), mimeType: "text/csv", uri } });

async function answerTo(uris: readonly string[], fetchFile: FetchAgentFile, most = signal) {
  const output = { artifacts: [{ artifactId: "1", parts: uris.map(linked) }] };
  return answerWith(await fetchLinkedFiles(output, { agent, fetchFile, maxBytes: 1_000, signal: most }));
}

const none = { agent: "A", cached_input_tokens: 0, cost: null };
const report = (agentName: string, cost: number | null = null) => ({
  ...none,
  agent: agentName,
  input_tokens: 5,
  output_tokens: 1,
  cost,
});

test("X1: an answer in very many parts, and a question that repeats very many paragraphs, take little CPU time", async () => {
  const parts = Array.from({ length: 16_000 }, (_, i) => ({ kind: "data", data: { i } }));
  expect(await cpuMsOf(() => responseText(outputOf(parts)))).toBeLessThan(500);
  const words = [textPart(Array.from({ length: 40_000 }, (_, i) => `p${i}`).join("\n\n"))];
  const repeated = { ...outputOf(words), message: { parts: words } };
  expect(
    await cpuMsOf(() => expect(askedPartsOf(repeated).text).toHaveLength(words[0]?.text.length ?? 0)),
  ).toBeLessThan(1_000);
});

describe("answer with", () => {
  test("I5: files of artifacts are attached under safe and unique names", () => {
    const {
      response_text,
      files = [],
      output_data,
    } = answerWith(
      outputOf([
        textPart("Here."),
        file("../../etc/a\u202egnp.txt", "one", "text/plain"),
        file("b.png", "two"),
        file("b.png", "3"),
      ]),
    );
    expect(response_text).toBe("Here.");
    expect(files.map(({ name, media_type, bytes }) => [name, media_type, Buffer.from(bytes).toString()])).toEqual([
      ["a_gnp.txt", "text/plain", "one"],
      ["b.png", "application/octet-stream", "two"],
      ["b-2.png", "application/octet-stream", "3"],
    ]);
    expect(output_data).toBeUndefined();
  });

  test("I5: data becomes a JSON file, rows become a CSV file, and the answer shows their beginning", () => {
    const rows = [
      { city: "Rome", note: 'a "b", c' },
      { city: "Oslo", note: null },
    ];
    const { response_text, files = [] } = answerWith(
      outputOf([textPart("Data:"), { kind: "data", data: rows }, { kind: "data", data: { deep: [1] } }]),
    );
    expect(files.map(({ name, media_type }) => [name, media_type])).toEqual([
      ["data.csv", "text/csv"],
      ["data.json", "application/json"],
    ]);
    expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe('city,note\nRome,"a ""b"", c"\nOslo,');
    expect(response_text).toMatch(/^Data:\n\n```\ncity,note/);
    expect(response_text).toContain('```json\n{\n  "deep": [');
  });

  test("I5: files beyond 20 MB are named", () => {
    const { response_text, files } = answerWith(
      outputOf([file("big.bin", "x".repeat(21_000_000)), file("small", "x")]),
    );
    expect(files).toHaveLength(1);
    expect(response_text).toBe("Here are the files.\n\nNot shown, too large: big.bin (21 MB).");
  });
});

describe("fetch linked files", () => {
  test("I5: a file at the agent's own origin is fetched, as if the agent had sent its bytes", async () => {
    const { files, response_text } = await answerTo(["https://agent.example.com/files/a.csv"], async ({ maxBytes }) =>
      Buffer.from(`at most ${maxBytes}`),
    );
    expect(response_text).toBe("Here is a file.");
    expect(files).toMatchObject([{ name: "a.csv", media_type: "text/csv", bytes: Buffer.from("at most 1000") }]);
  });

  test("I5, I7: files at other origins are not fetched, and a file that is not fetched stays a link", async () => {
    const asked: string[] = [];
    const elsewhere = ["https://example.com/a", "http://agent.example.com/a", "https://agent.example.com:8443/a", "no"];
    const { files, response_text } = await answerTo(
      [...elsewhere, "https://agent.example.com/gone"],
      async ({ url }) => {
        asked.push(url);
        throw new Error("404");
      },
    );
    expect(asked).toEqual(["https://agent.example.com/gone"]);
    expect(files).toBeUndefined();
    for (const url of [...elsewhere, ...asked]) expect(response_text).toContain(`: ${url}`);
  });

  test("no more files are fetched than fit into an answer", async () => {
    let count = 0;
    const uris = Array.from({ length: 25 }, (_, index) => `https://agent.example.com/${index}`);
    const { files } = await answerTo(uris, async () => Buffer.from(String(++count)));
    expect([count, files?.length]).toEqual([20, 20]);
  });

  test("T5: canceling the task while a file is fetched rejects with the cancellation reason", async () => {
    const over = new AbortController();
    const answer = answerTo(
      ["https://agent.example.com/a"],
      async () => {
        over.abort(new Error("canceled"));
        throw new Error("gone");
      },
      over.signal,
    );
    await expect(answer).rejects.toThrow("canceled");
  });
});

describe("reported usage", () => {
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
    expect(addReported([report("A", 1), report("B", 1), report("A", 2), report("B", null)])).toEqual([
      { ...report("A", 3), input_tokens: 10, output_tokens: 2 },
      { ...report("B", null), input_tokens: 10, output_tokens: 2 },
    ]);
  });

  test("however many agents report, an answer stays within the contract, and no token is lost", () => {
    const { usage } = onlyReported(Array.from({ length: 200 }, (_, index) => report(`A${index}`)));
    expect(isTaskUsage(usage)).toBe(true);
    expect(usage?.reported).toHaveLength(50);
    expect(usage?.reported?.reduce((sum, { input_tokens }) => sum + input_tokens, 0)).toBe(1_000);
  });

  test("reported usage is separate from the zone's own usage", () => {
    const used = { model: "a/b", input_tokens: 7, output_tokens: 1, cached_input_tokens: 0, cost: 0.1 };
    const reported = [report("A")];
    expect(withReported(used, reported)).toEqual({ ...used, reported });
    expect(withReported(used, [])).toBe(used);
    expect(onlyReported([undefined])).toEqual({});
    const answer = { response_text: "", usage: withReported(used, reported) };
    expect(usedFor(answer, "B")).toEqual([{ ...report("B", 0.1), input_tokens: 7 }, ...reported]);
    expect(usedFor({ response_text: "", usage: "much" }, "B")).toEqual([]);
  });
});

describe("response text", () => {
  test.each<[what: string, output: unknown, text: string]>([
    ["its artifacts, even if it has a message too", { response: "on it", text: "artifacts" }, "artifacts"],
    ["its last message without artifacts", { response: "last" }, "last"],
    ["its artifacts when the message is empty", { response: "", text: "artifacts" }, "artifacts"],
    ["its artifacts without a message", { text: "artifacts", data: [1] }, "artifacts"],
    ["text unchanged", "plain", "plain"],
    ["text without thoughts", "<think>Hm.</think>plain", "plain"],
    ["text of another bridge without thoughts", { text: "<think>Hm.</think>plain" }, "plain"],
    ["nothing when it is all a thought", "<think>Hm.", "The agent finished without an answer."],
    ["structure as JSON", { rows: [1, 2] }, '```json\n{\n  "rows": [\n    1,\n    2\n  ]\n}\n```'],
    ["a list as JSON", [], "```json\n[]\n```"],
    ["false as JSON: it is an answer", false, "```json\nfalse\n```"],
    ["a message without text as JSON", { text: 4 }, '```json\n{\n  "text": 4\n}\n```'],
  ])("R3.4: the answer in the thread is %s", (_what, output, text) => {
    expect(responseText(output)).toBe(text);
  });

  test.each([null, undefined, "", "  \n", {}, { text: "", response: null }])(
    "R3.4, R4.7: an agent without output (%j) gets a sentence as its answer, never an empty message",
    (output) => {
      expect(responseText(output)).toBe("The agent finished without an answer.");
    },
  );

  test("a fence in the output does not end the fence around it", () => {
    const text = responseText({ markdown: "```` four" });
    expect(text.startsWith("`````json\n")).toBe(true);
    expect(text.endsWith("\n`````")).toBe(true);
  });

  test.each<[what: string, output: unknown]>([
    ["plain text", "x".repeat(9_000_000)],
    ["text whose first characters take many bytes", { text: "\0".repeat(1_000_000) + "x".repeat(1_000_000) }],
    ["pairs of surrogates", { response: "😀".repeat(2_000_000) }],
    ["a structure", { rows: Array.from({ length: 200_000 }, (_, row) => ({ row, name: "x" })) }],
  ])("R3.4: an answer too long for the zone link is truncated and says so: %s", (_what, output) => {
    const text = responseText(output);
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(3_100_000);
    expect(text.length).toBeGreaterThan(400_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text.slice(-60)).toMatch(/\n\n\(The answer was longer and has been shortened\.\)$/);
    expect(text.split("```").length % 2).toBe(1);
  });

  test("R3.4: an answer as JSON that just fits is whole", () => {
    const jsonOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value, null, 2)));
    const { response_text } = answerWith({ a: "x".repeat(3_000_000 - jsonOf({ a: "" })) });
    expect(response_text.slice(-8)).toBe('x"\n}\n```');
  });

  test("R3.4: any JSON becomes text, and a list is shown completely", () => {
    assert(property(jsonValue(), (output) => responseText(output).trim() !== ""));
    assert(
      property(array(jsonValue()), (output) => {
        expect(JSON.parse(responseText(output).replace(/^`+json\n|\n`+$/g, ""))).toEqual(
          JSON.parse(JSON.stringify(output)),
        );
      }),
    );
  });
});

const followUpsKey = "https://crosszone.dev/follow-ups";

test("follow-ups of artifacts, message and task are the answer's: at most 4, each once, those that fit a button", () => {
  const output = {
    artifacts: [{ parts: [], metadata: { [followUpsKey]: ["a", " b\n c ", "x".repeat(76), 7, ""] } }],
    message: { parts: [], metadata: { [followUpsKey]: ["a", "x".repeat(75)] } },
    metadata: { [followUpsKey]: ["d", "e"] },
  };
  expect(answerWith(output)).toMatchObject({ follow_ups: ["a", "b c", "x".repeat(75), "d"] });
});

test.each([undefined, "text", {}, { metadata: { [followUpsKey]: "no list" } }, { metadata: { [followUpsKey]: [""] } }])(
  "an output without any has none: %j",
  (output) => expect(answerWith(output).follow_ups).toBeUndefined(),
);
