import type { BulkAction, DeadLetter } from "@crosszone/contracts";
import { answerWith, type FakeAnswers } from "../testing/fake-zone.ts";
import { testCommands } from "../testing/run-cli.ts";

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

const other = { ...letter, id: "agent_tasks/18" };
/** A zone whose bulk actions end at the second look. */
const zone: FakeAnswers = {
  "GET /dead-letters": { dead_letters: [letter, other], total: 3 },
  "POST /bulk-actions": (response) => answerWith(response, 201, action),
  "GET /bulk-actions/b1": (response, _asked, looks) => answerWith(response, 200, looks > 0 ? ended : action),
};
const none: FakeAnswers = { "GET /dead-letters": { dead_letters: [], total: 0 } };
const replayed = { action: "dead_letter.replay", ids: [letter.id, other.id] };

testCommands(zone, [
  [
    "B8: dead letters are listed without their text, oldest first",
    "dead-letters",
    {
      out: /\nagent_tasks\/17 +agent-bridge +2h 00m +5 +not JSON\\u001b\[2J\nagent_tasks\/18 /,
      err: "The first 2 of 3.\n",
    },
  ],
  ["B8: without dead letters, the list says so", "dead-letters", { zone: none, out: "No dead letters.\n" }],
  [
    "B8: all are replayed, and what failed is named",
    "dead-letters replay all",
    {
      code: 1,
      out: "Done: 1. Skipped: 0. Failed: 1.\n",
      err: "agent_tasks/18 failed: the broker is away\n",
      sends: [["POST /bulk-actions", replayed]],
    },
  ],
  [
    "B8: one is discarded",
    "dead-letters discard agent_tasks/17",
    {
      code: 1,
      out: /^Done/,
      err: /failed/,
      sends: [["POST /bulk-actions", { action: "dead_letter.discard", ids: [letter.id] }]],
    },
  ],
  ["B8: nothing is replayed of no dead letters", "dead-letters replay all", { zone: none, code: 2, err: /\S/ }],
]);
