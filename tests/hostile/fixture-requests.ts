import { readCases } from "@crosszone/contracts/corpus";

const methods: Record<string, string> = {
  "task/execute-task-params": "execute_task",
  "task/get-async-task-result-params": "get_async_task_result",
  "task/cancel-task-params": "cancel_task",
  "task/list-agents-params": "list_agents",
  "task/get-agent-card-params": "get_agent_card",
  "usage/get-usage-params": "get_usage",
};

/** A request for each valid and invalid case of a method's params, and each case of a whole request. */
export const fixtureRequests: readonly unknown[] = [
  ...Object.entries(methods).flatMap(([schema, method]) =>
    read(schema).map((params, index) => ({ jsonrpc: "2.0", method, params, id: `${schema}-${index}` })),
  ),
  ...read("jsonrpc/zone-request"),
  ...read("jsonrpc/request"),
];

function read(schema: string): unknown[] {
  return readCases(schema).map(({ value }) => value);
}
