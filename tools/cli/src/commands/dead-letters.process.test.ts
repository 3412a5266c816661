// suite: rest
import type { BulkAction, DeadLetter } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { answerWith, runCli, startFakeZone } from "../testing/fake-zone.ts";

const letter: DeadLetter = {
  id: "agent_tasks/17",
  group: "agent-bridge",
  reason: "not JSON\u001b[2J",
  attempts: 5,
  dead_at: new Date(Date.now() - 7_200_000).toISOString(),
};
const action: BulkAction = {
  bulk_action_id: "b1",
  action: "dead_letter.replay",
  state: "running",
  total: 2,
  done: 0,
  skipped: 0,
  failed: 0,
  created_by: "token:ops",
  created_at: "2026-11-28T08:00:00.000Z",
};
const problem = { id: "agent_tasks/18", outcome: "failed", reason: "the broker is away" } as const;
const ended = { ...action, state: "finished", done: 1, failed: 1, ended_at: action.created_at, problems: [problem] };

/** Returns a zone with these dead letters whose bulk actions end at the second look. */
function startZone(dead_letters: readonly DeadLetter[]) {
  let looks = 0;
  return startFakeZone({
    "GET /dead-letters": { dead_letters, total: dead_letters.length + 1 },
    "POST /bulk-actions": (response) => answerWith(response, 201, action),
    "GET /bulk-actions/b1": (response) => answerWith(response, 200, (looks += 1) > 1 ? ended : action),
  });
}

test("B8: dead letters are listed without their text, oldest first", async () => {
  const { url } = await startZone([letter]);
  const { code, out, err } = await runCli(url, ["dead-letters"]).done;
  expect([code, out.split("\n")[1], err]).toEqual([
    0,
    expect.stringMatching(/^agent_tasks\/17 +agent-bridge +2h 00m +5 +not JSON\\u001b\[2J$/),
    "The oldest 1 of 2.\n",
  ]);
  expect((await runCli((await startZone([])).url, ["dead-letters"]).done).out).toBe("No dead letters.\n");
});

test("B8: one or all are replayed or discarded, and what failed is named", async () => {
  const zone = await startZone([letter, { ...letter, id: "agent_tasks/18" }]);
  const all = await runCli(zone.url, ["dead-letters", "replay", "all"]).done;
  expect(all).toMatchObject({ code: 1, out: "Done: 1. Skipped: 0. Failed: 1.\n" });
  expect(all.err).toBe("agent_tasks/18 failed: the broker is away\n");
  await runCli(zone.url, ["dead-letters", "discard", "agent_tasks/17"]).done;
  const sent = zone.requests.filter(({ line }) => line === "POST /bulk-actions").map(({ body }) => body);
  expect(sent).toEqual([
    { action: "dead_letter.replay", ids: ["agent_tasks/17", "agent_tasks/18"] },
    { action: "dead_letter.discard", ids: ["agent_tasks/17"] },
  ]);
  expect(await runCli((await startZone([])).url, ["dead-letters", "replay", "all"]).done).toMatchObject({ code: 2 });
});
