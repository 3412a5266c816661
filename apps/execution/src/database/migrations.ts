import type { Migrations } from "@crosszone/sql";
import { tasksStep } from "../tasks/sql/task-table.ts";

/** The history of the zone's tables, in order. A step that was released is never changed: the next one corrects it. */
export const executionMigrations: Migrations = {
  "0001_tasks": tasksStep,
};
