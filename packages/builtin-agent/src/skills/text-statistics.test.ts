import { describe, expect, test } from "vitest";
import { ask } from "../testing/ask-builtin.ts";

describe("text statistics", () => {
  test("counts words, sentences and lines, and lists frequent words", async () => {
    const answer = await ask("text statistics: The cat sat. The cat ran!\nA dog ran, a cat slept.");
    for (const row of ["Words | 12", "Distinct words | 7", "Sentences | 3", "Lines | 2", "cat (3), ran (2)"]) {
      expect(answer).toContain(row);
    }
  });

  test("counts user-perceived characters", async () => {
    expect(await ask("character count: 👩‍👩‍👧 e\u0301")).toContain("| Characters | 3 |");
  });

  test("finds words in Japanese", async () => {
    const answer = await ask("text statistics: 今日は良い天気です。明日も晴れるでしょう。");
    expect(answer).toContain("| Words | 10 |");
    expect(answer).toContain("| Sentences | 2 |");
    expect(answer).toContain("天気 (1)");
  });

  test.each([
    ['how many words are in "one two three"?', "| Words | 3 |"],
    ["word count ```\none two\n```", "| Words | 2 |"],
    ["文字数：今日は", "| Characters | 3 |"],
    [`reading time: ${"word ".repeat(2380)}`, "about 10 minutes"],
  ])("takes the text from quotes, a code block or after a colon: %.40s", async (question, row) => {
    expect(await ask(question)).toContain(row);
  });

  test("accepts an attached text and names it", async () => {
    const answer = await ask("word count of the attached file", {
      attachments: [{ name: "notes.txt", text: "one two three" }],
    });
    expect(answer).toContain("`notes.txt`");
    expect(answer).toContain("| Words | 3 |");
  });

  test("asks for a text if the question contains none", async () => {
    expect(await ask("count words the quick brown fox")).toContain("after a colon");
  });

  test("states how much of a very long text it counted", async () => {
    expect(await ask(`word count: ${"a".repeat(300_000)}`)).toContain("first 200,000 characters of 300,000");
  });
});
