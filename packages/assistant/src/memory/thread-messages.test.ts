import { expect, test } from "vitest";
import { readThread } from "./thread-messages.ts";

const mine = (text: string) => ({ text, user: "U1" });
const reading = { userId: "U1", mostTokens: 100 };

test("G6: the thread is a conversation of own messages, the app's answers, and others' words with their author", () => {
  const thread = [mine("Hi"), { text: "Hello", bot: true }, { text: "Me too", user: "U2" }, { text: " ", user: "U1" }];
  expect(readThread(thread, reading)).toEqual({
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
      { role: "user", content: "[Message of another person, U2]\nMe too" },
    ],
    hasOthers: true,
    others: ["U2"],
    omitted: 0,
  });
  expect(readThread([mine("Hi")], reading).hasOthers).toBe(false);
  expect(readThread([{ text: "Hi" }], { ...reading, userId: undefined }).hasOthers).toBe(true);
});

test("the oldest messages over the token limit are omitted with a note, and a person always speaks first", () => {
  const thread = [mine("a".repeat(400)), { text: "b".repeat(200), bot: true }, mine("c".repeat(196))];
  expect(readThread(thread, reading).messages).toEqual([
    { role: "user", content: "(1 earlier messages are left out.)" },
    { role: "assistant", content: "b".repeat(200) },
    { role: "user", content: "c".repeat(196) },
  ]);
  expect(readThread(thread, { ...reading, mostTokens: 1 }).hasOthers).toBe(false);
});
