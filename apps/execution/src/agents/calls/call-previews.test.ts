import { expect, test, vi } from "vitest";
import { createCallPreviews } from "./call-previews.ts";

const artifacts = [{ parts: [{ kind: "text", text: "One" }] }];
const watched = () => {
  const shown: string[] = [];
  const preview = {
    text: (delta: string) => void shown.push(delta),
    progress: ({ text = "" }) => void shown.push(text),
  };
  return { shown, preview };
};

test("a task gets the stream of its own call, and not of a workflow step or another task", () => {
  const { open, show } = createCallPreviews();
  const { shown, preview } = watched();
  const close = open("t1", preview);
  show({ run_id: "run-1", task_id: "t1" }, artifacts);
  show({ run_id: "t2", task_id: "t2" }, artifacts);
  expect(shown).toEqual([]);
  show({ run_id: "t1", task_id: "t1" }, artifacts);
  expect(shown).toEqual(["One"]);
  close();
  show({ run_id: "t1", task_id: "t1" }, [...artifacts, ...artifacts]);
  expect(shown).toEqual(["One"]);
});

test("a task gets the progress of its own call, with the revision that is stored", () => {
  const { open, showProgress } = createCallPreviews();
  const progress = vi.fn<(progress: object) => void>();
  open("t1", { ...watched().preview, progress });
  showProgress({ run_id: "run-1", task_id: "t1" }, { revision: 6, text: "a step" });
  showProgress({ run_id: "t1", task_id: "t1" }, { revision: 7, text: "halfway" });
  expect(progress.mock.calls).toEqual([[{ revision: 7, text: "halfway", steps: [] }]]);
});

test("a run that ends late leaves the preview of the task's next run open", () => {
  const { open, show } = createCallPreviews();
  const [first, second] = [watched(), watched()];
  const closeFirst = open("t1", first.preview);
  open("t1", second.preview);
  closeFirst();
  show({ run_id: "t1", task_id: "t1" }, artifacts);
  expect([first.shown, second.shown]).toEqual([[], ["One"]]);
});
