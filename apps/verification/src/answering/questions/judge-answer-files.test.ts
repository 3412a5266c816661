import { expect, test } from "vitest";
import { judgeAnswerFiles } from "./judge-answer-files.ts";

const file = (name: string, media_type: string, size = 10) => ({ id: name, name, media_type, size });

test("I5: an answer's files are judged like a question's files, and the refused files are named", () => {
  const rules = { types: ["image/*", "text/csv"], maxBytes: 2_000_000 };
  const files = [
    file("a.png", "image/png"),
    file("b.csv", "text/csv; charset=utf-8"),
    file("c.exe", "application/x-msdownload"),
    file("d.png", "image/png", 3_000_000),
  ];
  const { files: shown, note } = judgeAnswerFiles(files, rules);
  expect(shown.map(({ name }) => name)).toEqual(["a.png", "b.csv"]);
  expect(note).toMatch(
    /The file c\.exe is not attached: files of the type application\/x-msdownload are not allowed here/,
  );
  expect(note).toMatch(/The file d\.png is not attached: it is larger than 2 MB/);
  expect(judgeAnswerFiles(undefined, rules)).toEqual({ files: [], note: "" });
});
