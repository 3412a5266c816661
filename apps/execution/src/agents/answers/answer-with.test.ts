import { expect, test } from "vitest";
import { answerWith } from "./answer-with.ts";

const text = (value: string) => ({ kind: "text", text: value });
const file = (name: string, bytes: string, mimeType?: string) => ({
  kind: "file",
  file: { name, bytes: Buffer.from(bytes).toString("base64"), ...(mimeType !== undefined && { mimeType }) },
});
const outputOf = (...artifacts: readonly (readonly object[])[]) => ({
  text: "joined\nby\nlines",
  response: "on it",
  artifacts: artifacts.map((parts, index) => ({ artifactId: String(index), parts })),
});

test("I1: the answer consists of the artifacts: parts are joined unchanged, artifacts are separate paragraphs", () => {
  const { response_text } = answerWith(outputOf([text("One "), text("two "), text("three.")], [text("Next.")]));
  expect(response_text).toBe("One two three.\n\nNext.");
});

test("I1: progress messages are not part of the answer", () => {
  const said = { response: "on it", response_source: "history", context_id: "c" };
  expect(answerWith(said).response_text).toBe("The agent finished without an answer.");
  expect(answerWith({ ...outputOf([file("a.txt", "hi")]) }).response_text).toBe("Here is a file.");
});

test("I5: files of artifacts are attached under safe and unique names", () => {
  const {
    response_text,
    files = [],
    output_data,
  } = answerWith(
    outputOf([
      text("Here."),
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
    outputOf([text("Data:"), { kind: "data", data: rows }, { kind: "data", data: { deep: [1] } }]),
  );
  expect(files.map(({ name, media_type }) => [name, media_type])).toEqual([
    ["data.csv", "text/csv"],
    ["data.json", "application/json"],
  ]);
  expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe('city,note\nRome,"a ""b"", c"\nOslo,');
  expect(response_text).toMatch(/^Data:\n\n```\ncity,note/);
  expect(response_text).toContain('```json\n{\n  "deep": [');
});

test("I5: a file given as a URL becomes a link, and files beyond 20 MB are named", () => {
  const link = { kind: "file", file: { name: "a.pdf", uri: "https://agent.example.com/a.pdf" } };
  expect(answerWith(outputOf([link])).response_text).toBe("a.pdf: https://agent.example.com/a.pdf");
  const { response_text, files } = answerWith(outputOf([file("big.bin", "x".repeat(21_000_000)), file("small", "x")]));
  expect(files).toHaveLength(1);
  expect(response_text).toBe("Here are the files.\n\nNot shown, too large: big.bin (21 MB).");
});
