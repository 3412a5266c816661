import type { OwnedTable } from "@crosszone/sql";
import { handleContext, outcomeContext, paramsContext, teamKey } from "../tasks/sql/task-row.ts";

/** The tables with rows of a Slack team, in the order in which they are deleted. */
export const executionTables: readonly OwnedTable[] = [
  {
    name: "task",
    owner: "team",
    ownerValue: teamKey,
    key: ["task_id"],
    holds: "tasks that run, and the answers of those that ended",
    content: { record: "json", params: "record", outcome: "record", handle: "secret" },
    sealed: {
      handle: ({ task_id }) => handleContext(String(task_id)),
      params: ({ task_id }) => paramsContext(String(task_id)),
      outcome: ({ task_id }) => outcomeContext(String(task_id)),
    },
  },
];

/** The others, each with the reason why a team is none of its matters. */
export const tablesOfNoTeam: Readonly<Record<string, string>> = {};
