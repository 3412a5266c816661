import type { Attachment } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import type { ReadFile } from "../message/skill.ts";
import { ask, run } from "../testing/ask-builtin.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = { id: "F1", name: "ages.csv", mime_type: "text/csv", size: 24 };
const reading =
  (text: string): ReadFile =>
  async () =>
    bytes(text);

test.each([
  ["text statistics", csv, "name,age\nAda,36\n", "text-statistics", "`ages.csv`"],
  ["text statistics", { id: "F1", name: "a.txt" }, "hello there", "text-statistics", "| Words | 2 |"],
  ["summarize the file", { id: "F1", name: "a.md" }, "We decided to ship.", "thread-summary", "We decided to ship."],
])("“%s” applies to a file", async (...given) => {
  const [text, attachment, contents, skill, expected] = given;
  const answer = await run(text, { attachments: [attachment] }, reading(contents));
  expect(answer.skill).toBe(skill);
  expect(answer.response_text).toContain(expected);
  expect(answer.response_text).not.toContain("did not read");
});

test("lists the files that arrived, and why each unread one was not read", async () => {
  const attachments = [{ name: "photo|1.png", mime_type: "image/png", size: 1_234_567 }, { size: 999 }, csv];
  const answer = await ask("what did I attach", { attachments }, async () => bytes("a,b\n1,2"));
  expect(answer).toContain("**3 files arrived:**");
  expect(answer).toContain(String.raw`| photo\|1.png | image/png | 1.2 MB | not read |`);
  expect(answer).toContain("| unnamed | unknown | 999 bytes | not read |");
  expect(answer).toContain("| ages.csv | text/csv | 24 bytes | read |");
  expect(answer).toContain(
    "_I did not read 2 files (`photo|1.png`, `unnamed`). I read only text, CSV, JSON and Markdown._",
  );
});

test.each<[why: string, attachment: Attachment, readFile: ReadFile]>([
  ["Slack has no contents of it.", csv, async () => Promise.reject(new Error("Slack has no contents of it."))],
  ["It is not UTF-8 text.", csv, async () => Uint8Array.of(0xff, 0xfe, 0x41)],
  ["It is larger than 1 MB, the most that I read.", { ...csv, size: 1_000_001 }, reading("")],
  ["It is larger than 1 MB, the most that I read.", csv, async () => new Uint8Array(1_000_001)],
  ["It came without an id, so it can't be fetched.", { name: "a.csv" }, reading("")],
  ["I read only text, CSV, JSON and Markdown.", { id: "F1", name: "a.html", mime_type: "text/html" }, reading("")],
])("an answer without one of its files says why: %s", async (why, attachment, readFile) => {
  const { response_text, skill } = await run("2+2", { attachments: [attachment] }, readFile);
  expect(skill).toBe("arithmetic");
  expect(response_text).toMatch(/^`2\+2` = \*\*4\*\*\n\n_I did not read 1 file \(`[\w.]+`\)\. /);
  expect(response_text).toContain(why);
});

test("a file that was sent as text is not fetched, and at most five files are", async () => {
  const readFile = vi.fn<ReadFile>(async (id) => bytes(`text of ${id}`));
  const attachments = Array.from({ length: 8 }, (_, n) => ({ id: `F${n}`, name: `${n}.txt` }));
  const answer = await ask("2+2", { attachments: [{ id: "F9", name: "x.txt", text: "hi" }, ...attachments] }, readFile);
  expect(readFile.mock.calls.flat()).toEqual(["F0", "F1", "F2", "F3", "F4"]);
  expect(answer).toContain("_I did not read 3 files (`5.txt`, `6.txt`, `7.txt`). I read only the first 5 files._");
});

test("a message that no other skill handles is answered with the files", async () => {
  expect((await run("what is in this picture?", { attachments: [{ name: "a.png" }] })).skill).toBe("attachments");
  expect(await ask("what did I attach")).toBe("No file arrived with your message.");
});
