import { describe, expect, test } from "vitest";
import { ask } from "../testing/ask-builtin.ts";

describe("text statistics", () => {
  test("counts words, sentences and lines, and lists frequent words", async () => {
    const answer = await ask("text statistics: The cat sat. The cat ran!\nA dog ran, a cat slept.");
    for (const row of ["Words | 12", "Distinct words | 7", "Sentences | 3", "Lines | 2", "cat (3), ran (2)"]) {
      expect(answer).toContain(row);
    }
  });

  test.each([
    ['how many words are in "one two three"?', "| Words | 3 |"],
    ["word count ```\none two\n```", "| Words | 2 |"],
    ["文字数：今日は", "| Characters | 3 |"],
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

  test("states how much of a very long text it counted", async () => {
    expect(await ask(`word count: ${"a".repeat(300_000)}`)).toContain("first 200,000 characters of 300,000");
  });
});

const thread = [
  { user: "U0ALICE", text: "Should we ship release 2.0 on Friday? The login bug is still open." },
  { user: "U0BOB", text: "The login bug is fixed in the release branch. Lunch was nice." },
  { bot: true, text: "I am the app. Release release release login login bug." },
  { user: "U0ALICE", text: "We decided: release 2.0 ships on Friday." },
];

describe("thread summary", () => {
  test("shows how much each person wrote, and quotes the first, the last and the central sentences", async () => {
    const answer = await ask("summarize this thread", { thread });
    expect(answer).toContain("**Summary of 4 messages**\nFrom <@U0ALICE> (2), <@U0BOB> (1), this app (1)");
    expect(answer).toContain("- **First:** <@U0ALICE>: Should we ship");
    expect(answer).toContain("- **Last:** <@U0ALICE>: We decided");
    expect(answer).toContain("- “The login bug is fixed in the release branch.”");
    expect(answer).not.toMatch(/Lunch|I am the app/);
    expect(answer).toMatch(/I used no language model and wrote nothing new\._$/);
  });

  test("summarizes a given text, or an attached one if the question asks for the file", async () => {
    expect(await ask("summarize: The build broke. We fixed the build.", { thread })).toContain(
      "**Summary of the text** (2 sentences)",
    );
    const attachments = [{ name: "notes.txt", text: "The build broke." }];
    expect(await ask("summarize the file", { thread, attachments })).toContain("**Summary of `notes.txt`**");
    expect(await ask("summarize the thread", { thread, attachments })).toContain("4 messages");
    expect(await ask("summarize https://example.com", { thread })).toContain("4 messages");
    expect(await ask("summarize this thread")).toContain("no earlier messages of this thread");
  });
});
