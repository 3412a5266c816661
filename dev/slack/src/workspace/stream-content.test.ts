import { expect, test } from "vitest";
import { EMPTY_STREAM, streamBlocks, streamLength, streamText, withChunk } from "./stream-content.ts";
import type { StreamChunk } from "./stream-content.ts";

const contentOf = (...chunks: StreamChunk[]) => chunks.reduce(withChunk, EMPTY_STREAM);
const text = (words: string): StreamChunk => ({ type: "markdown_text", text: words });
const task = (id: string, rest: object = {}): StreamChunk => ({
  type: "task_update",
  id,
  title: `Task ${id}`,
  status: "in_progress",
  ...rest,
});
const types = (display: "timeline" | "plan", ...chunks: StreamChunk[]) =>
  streamBlocks(contentOf(...chunks), display).map(({ type }) => type);

test("text continues the text before it, and starts anew behind a task", () => {
  const content = contentOf(text("one "), text("two"), task("a"), text(" three"));
  expect(streamBlocks(content, "timeline")).toMatchObject([
    { type: "markdown", text: "one two" },
    { type: "task_card", task_id: "a" },
    { type: "markdown", text: " three" },
  ]);
  expect(streamText(content)).toBe("one two three");
});

test("an update of a task replaces title and status, and is appended to details, output and sources", () => {
  const source = (url: string) => ({ type: "url", url, text: url });
  const content = contentOf(
    task("a", { details: "read ", output: "1", sources: [source("https://a.example")] }),
    text("meanwhile"),
    task("a", {
      title: "Done",
      status: "complete",
      details: "all",
      output: "2",
      sources: [source("https://b.example")],
    }),
    task("a", { title: "Done", status: "complete" }),
  );
  const [card, ...rest] = streamBlocks(content, "timeline");
  expect(card).toMatchObject({ title: "Done", status: "complete", sources: [{ text: "https://a.example" }, {}] });
  expect(JSON.stringify(card)).toContain('"read all"');
  expect(JSON.stringify(card)).toContain('"12"');
  expect(rest).toEqual([{ type: "markdown", text: "meanwhile" }]);
  expect(streamLength(content)).toBe("Doneread all12meanwhile".length);
});

test("a plan appears in place of its first task, contains all tasks, and has the last title", () => {
  const plan = (title: string): StreamChunk => ({ type: "plan_update", title });
  const chunks = [plan("First"), text("before"), task("a"), text("after"), task("b"), plan("Last")];
  expect(types("plan", ...chunks)).toEqual(["markdown", "plan", "markdown"]);
  expect(streamBlocks(contentOf(...chunks), "plan")[1]).toMatchObject({
    title: "Last",
    tasks: [{ task_id: "a" }, { task_id: "b" }],
  });
  expect(types("timeline", ...chunks)).toEqual(["markdown", "task_card", "markdown", "task_card"]);
  expect(types("plan", plan("No tasks"))).toEqual([]);
});
