import { expect, it } from "vitest";
import type { Message } from "../../protocol/workspace.ts";
import { streamBlocks, type StreamChunk, EMPTY_STREAM, withChunk } from "../../workspace/stream-content.ts";
import { messageContent } from "./message-content.ts";
import { taskCardOf } from "./task-card.ts";

const task = (id: string, rest: object = {}): StreamChunk => ({
  type: "task_update",
  id,
  title: `Task ${id}`,
  status: "complete",
  ...rest,
});

function streamed(display: "timeline" | "plan" | "dense", ...chunks: StreamChunk[]): Message {
  const blocks = streamBlocks(chunks.reduce(withChunk, EMPTY_STREAM), display);
  return { channel: "C1", ts: "1.000001", user: "U1", text: "", blocks, stream: { state: "in_progress", display } };
}

it("reads what a task says, its details and output as plain text", () => {
  const sources = [{ type: "url", url: "https://a.example/x", text: "A" }];
  const [card] = messageContent(
    streamed("timeline", task("a", { details: "See https://a.example & go", output: "12 < 13", sources })),
  );
  expect(card).toEqual({
    kind: "task",
    task: {
      title: "Task a",
      status: "complete",
      details: "See https://a.example & go",
      output: "12 < 13",
      sources: [{ text: "A", url: "https://a.example/x" }],
    },
  });
});

it("takes a card of any form, and never throws", () => {
  const empty = { title: "", status: "pending", details: "", output: "", sources: [] };
  expect(taskCardOf(undefined)).toEqual(empty);
  expect(taskCardOf({ title: 1, status: "toString", details: "x", output: [{}], sources: "x" })).toEqual(empty);
  expect(taskCardOf({ sources: [null] })).toEqual({ ...empty, sources: [{ text: "", url: "" }] });
});

it("has a plan with all its tasks", () => {
  const plan = { type: "plan_update", title: "Answer" } as const;
  expect(messageContent(streamed("plan", plan, task("a"), task("b")))).toMatchObject([
    { kind: "plan", title: "Answer", isFolded: false, tasks: [{ title: "Task a" }, { title: "Task b" }] },
  ]);
});

it("folds neighboring tasks of a dense display, and leaves a single one", () => {
  const text = { type: "markdown_text", text: "so" } as const;
  const contents = messageContent(streamed("dense", task("a"), task("b"), task("c"), text, task("d")));
  expect(contents).toMatchObject([
    { kind: "plan", title: "3 steps", isFolded: true, tasks: [{ title: "Task a" }, {}, { title: "Task c" }] },
    { kind: "markdown" },
    { kind: "task" },
  ]);
});

it("shows feedback buttons by what is on them", () => {
  const button = (text: string): object => ({ text: { type: "plain_text", text } });
  const feedback = { type: "feedback_buttons", positive_button: button("Good"), negative_button: button("Bad") };
  const blocks = [{ type: "context_actions", elements: [feedback, { type: "icon_button", ...button("Delete") }] }];
  expect(messageContent({ channel: "C1", ts: "1.000001", user: "U1", text: "x", blocks })).toEqual([
    { kind: "buttons", labels: ["Good", "Bad", "Delete"] },
  ]);
});
