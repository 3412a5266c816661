import { expect, test } from "vitest";
import { ask, run } from "../../testing/ask-builtin.ts";

test("says which files arrived, and that it cannot open them", async () => {
  const attachments = [{ name: "photo|1.png", mime_type: "image/png", size: 1_234_567 }, { size: 999 }];
  const answer = await ask("", { attachments });
  expect(answer).toContain("**2 files arrived:**");
  expect(answer).toContain(String.raw`| photo\|1.png | image/png | 1.2 MB | no |`);
  expect(answer).toContain("| unnamed | unknown | 999 bytes | no |");
  expect(answer).toContain("do not cross to this zone yet");
});

test("an answer that had to do without a file says so", async () => {
  const { response_text, skill } = await run("2+2", { attachments: [{ name: "a.png" }] });
  expect(skill).toBe("arithmetic");
  expect(response_text).toBe("`2+2` = **4**\n\n_I did not read 1 file (`a.png`): file contents do not reach me yet._");
  expect(await ask("2+2", { attachments: [{ name: "a.txt", text: "hi" }] })).toBe("`2+2` = **4**");
});

test("a message that nothing else takes is answered with the files", async () => {
  expect((await run("what is in this picture?", { attachments: [{ name: "a.png" }] })).skill).toBe("attachments");
  expect(await ask("what did I attach")).toBe("No file arrived with your message.");
});

test("a long list is cut", async () => {
  const answer = await ask("", { attachments: Array.from({ length: 500 }, () => ({ name: "a.png" })) });
  expect(answer).toContain("**500 files arrived:**");
  expect(answer.split("\n").length).toBeLessThan(40);
});
