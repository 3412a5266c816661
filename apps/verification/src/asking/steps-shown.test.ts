import { type TaskProgress, type TaskStep } from "@crosszone/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { stepList } from "../showing/markdown/compose-answer.ts";
import type { Question } from "../inbox/records.ts";
import { openTestDatabase } from "../testing/test-inbox.ts";
import { createWorkingZone, type WorkingZone } from "../testing/working-zone.ts";
import { before } from "../testing/fake-slack.ts";
import { failing, type ZoneAnswer } from "../testing/scripted-zone.ts";

let world: WorkingZone;
let record: Question;
/** The texts of all attempted edits, in order. */
let updates: string[];

beforeEach(async () => {
  world = createWorkingZone(await openTestDatabase());
  updates = [];
  before(world.slack, "update", (_message, content) => {
    updates.push("text" in content ? content.text : content.markdown_text);
  });
  record = await world.ask({ text: "run publish-text: hello" });
});

const names = ["Proofread", "Find the keywords", "Seal"];

/** Returns a progress with this number of finished steps; the next step has the state `rest`. */
function at(done: number, rest: TaskStep["state"] = "running"): TaskProgress {
  const steps = names.map((title, index): TaskStep => {
    const state = index < done ? "succeeded" : index === done ? rest : "pending";
    return { id: `s${index}`, title, uses: `agent-${index}`, state, depth: 0 };
  });
  return { revision: done + 1, steps };
}

type Answer = ZoneAnswer<"get_async_task_result">;
type Turn = (again: () => void) => Answer;

const task_id = "task-12345678";
const works = (progress?: TaskProgress): Answer => ({ status: "working", task_id, ...(progress && { progress }) });

/** Makes the zone accept the task and answer the polls with these turns; the last turn repeats. */
function zoneSays(...turns: (TaskProgress | undefined | Turn)[]): void {
  world.zone.on("execute_task", () => ({ status: "accepted", task_id }));
  world.zone.on("get_async_task_result", () => {
    const turn = turns.length > 1 ? turns.shift() : turns[0];
    return typeof turn === "function" ? turn(() => turns.unshift(turn)) : works(turn);
  });
}

/** Repeats this progress until Slack shows it. */
const untilShown =
  (progress: TaskProgress): Turn =>
  (again) => {
    if (!updates.some((text) => text.endsWith(stepList(progress)))) again();
    return works(progress);
  };

const succeeds = (progress?: TaskProgress) => (): Answer => ({
  status: "success",
  response_text: "All done.",
  ...(progress !== undefined && { progress }),
});

const quiet = Array.from({ length: 5 }, () => undefined);
const theAnswer = (): unknown => world.slack.answers().map(({ text, mark }) => [text, mark?.state]);

describe("a task with steps", () => {
  test("shows them in the working message, and says below the answer what it used and for how long", async () => {
    zoneSays(untilShown(at(0)), untilShown(at(1)), untilShown(at(2)), succeeds(at(3)));
    await world.live();
    expect(updates).toEqual([
      "Working on it…\n\n◐ Proofread\n○ Find the keywords\n○ Seal",
      "Working on it…\n\n✓ Proofread\n◐ Find the keywords\n○ Seal",
      "Working on it…\n\n✓ Proofread\n✓ Find the keywords\n◐ Seal",
      "All done.",
    ]);
    expect(theAnswer()).toEqual([[updates.at(-1), "done"]]);
    expect(world.slack.answers()[0]?.footer).toMatch(/^Used agent-0, agent-1, agent-2 · \d+\.\d s$/);
  });

  test("that fails names the failed step below the error", async () => {
    zoneSays(at(1), ...quiet, failing("agent_failed", { agent: "keywords", progress: at(1, "failed") }));
    await world.live();
    expect(updates.at(-1)).toBe(
      `The agent “keywords” could not finish this and did not say why.\n_Reference: ${record.correlation_id}_\n\n✓ Proofread\n✗ Find the keywords\n○ Seal`,
    );
    expect(theAnswer()).toEqual([[updates.at(-1), "failed"]]);
  });

  test.each([
    ["in their last known state", "agent_unavailable", "✓ Proofread\n◐ Find the keywords\n○ Seal"],
    ["as stopped, after its deadline", "timeout", "✓ Proofread\n– Find the keywords\n– Seal"],
  ] as const)("that fails without reporting its steps shows them %s", async (_, kind, steps) => {
    zoneSays(at(1), ...quiet, failing(kind));
    await world.live();
    expect(updates.at(-1)?.endsWith(`\n\n${steps}`)).toBe(true);
  });

  test("I1: whose agent reports its activity does not use that text as the answer, however it ends", async () => {
    const says = { ...at(1), text: "I am on it." };
    zoneSays(untilShown(says), failing("agent_failed", { agent: "keywords", agent_says: "I cannot." }));
    await world.live();
    expect(updates[0]).toContain("_I am on it._");
    expect(updates.at(-1)).toMatch(/> I cannot\.[^]*◐ Find the keywords/);
    expect(updates.at(-1)).not.toContain("I am on it.");
  });
});

test("the answer is posted as a new message when the steps' message was deleted", async () => {
  zoneSays(
    untilShown(at(0)),
    () => {
      world.slack.messages.splice(0);
      return works(at(1));
    },
    ...quiet,
    succeeds(at(3)),
  );
  await world.live();
  expect(theAnswer()).toEqual([[expect.stringMatching(/All done\.$/), "done"]]);
});
