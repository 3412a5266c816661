import { describe, expect, test } from "vitest";
import { ask } from "../testing/ask-builtin.ts";

const thread = [
  { user: "U0ALICE", text: "Should we ship release 2.0 on Friday? The login bug is still open." },
  { user: "U0BOB", text: "The login bug is fixed in the release branch. I will deploy the release to staging today." },
  { bot: true, text: "I am the app. Release release release login login bug." },
  { user: "U0ALICE", text: "We decided: release 2.0 ships on Friday.\nWho writes the release notes?" },
];

describe("thread summary", () => {
  test("shows how much each person wrote, and quotes the first and the last message", async () => {
    const answer = await ask("summarize this thread", { thread });
    expect(answer).toContain("**Summary of 4 messages**\nFrom <@U0ALICE> (2), <@U0BOB> (1), this app (1)");
    expect(answer).toContain("- **First:** <@U0ALICE>: Should we ship");
    expect(answer).toContain("- **Last:** <@U0ALICE>: We decided");
  });

  test("finds decisions, actions and questions, and the author of the last message", async () => {
    const answer = await ask("tl;dr", { thread });
    expect(answer).toContain("- <@U0BOB>: “I will deploy the release to staging today.”");
    expect(answer).toContain("- <@U0ALICE>: “We decided: release 2.0 ships on Friday.”");
    expect(answer).toContain("“Should we ship release 2.0 on Friday?”\n");
    expect(answer).toContain("“Who writes the release notes?” _(no one wrote after this)_");
  });

  test("central sentences share the frequent words, without the app's own messages", async () => {
    const chat = [
      "The database backup failed.",
      "Lunch was nice.",
      "The backup of the database runs at night.",
      "Hello there.",
    ];
    const answer = await ask("recap", {
      thread: [...chat.map((text) => ({ user: "U1A", text })), { bot: true, text: "backup database backup database" }],
    });
    const central = answer.slice(answer.indexOf("**Central"), answer.indexOf("_How"));
    expect(central).toContain("The database backup failed.");
    expect(central).toContain("The backup of the database runs at night.");
    expect(central).not.toContain("Hello there.");
    expect(central).not.toContain("this app");
  });

  test("states how it was made", async () => {
    expect(await ask("summarize", { thread })).toMatch(
      /I picked sentences .* I used no language model and wrote nothing new\._$/,
    );
  });

  test("says if nothing can be summarized", async () => {
    expect(await ask("summarize this thread")).toContain("no earlier messages of this thread");
  });

  test("summarizes a given text, or an attached one if the question asks for the file", async () => {
    expect(await ask("summarize: The build broke. We fixed the build.", { thread })).toContain(
      "**Summary of the text** (2 sentences)",
    );
    const attachments = [{ name: "notes.txt", text: "The build broke." }];
    expect(await ask("summarize the file", { thread, attachments })).toContain("**Summary of `notes.txt`**");
    expect(await ask("summarize the thread", { thread, attachments })).toContain("4 messages");
  });

  test("a link after the command is not a text to summarize", async () => {
    expect(await ask("summarize https://example.com", { thread })).toContain("4 messages");
  });

  test("a user name that is not a Slack id is shown as text", async () => {
    expect(await ask("summary", { thread: [{ user: "x`!channel", text: "hi" }] })).toContain("`x'!channel` (1)");
    expect(await ask("summary", { thread: [{ text: "hi" }] })).toContain("somebody (1)");
  });

  test("reads the newest of very many messages and says so", async () => {
    const long = Array.from({ length: 700 }, (_unused, index) => ({ user: "U1A", text: `Message ${index}?` }));
    const answer = await ask("summarize", { thread: long });
    expect(answer).toContain("**Summary of 500 messages**, the newest of 700");
    expect(answer).toContain("- … 495 earlier");
    expect(answer.length).toBeLessThan(3000);
  });
});
