import { ApiProblem } from "@crosszone/admin-api";

/** No task has the id of the request. */
export class TaskNotFoundProblem extends ApiProblem {
  constructor() {
    super(
      { kind: "task_not_found", status: 404, title: "No task has this id" },
      "List the tasks to see their ids. Ended tasks are deleted after TASK_RETENTION_MS.",
    );
  }
}
