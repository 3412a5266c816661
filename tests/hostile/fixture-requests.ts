import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const fixtures = resolve(import.meta.dirname, "../../schemas/fixtures");

const methods: Record<string, string> = {
  "task/execute-task-params": "execute_task",
  "task/get-async-task-result-params": "get_async_task_result",
  "task/cancel-task-params": "cancel_task",
  "task/list-agents-params": "list_agents",
  "task/get-agent-card-params": "get_agent_card",
  "usage/get-usage-params": "get_usage",
};

/** A request for each fixture of a method's params, the right and the wrong ones, and each fixture of a whole request. */
export const fixtureRequests: readonly unknown[] = [
  ...Object.entries(methods).flatMap(([type, method]) =>
    read(type).map((params, index) => ({ jsonrpc: "2.0", method, params, id: `${type}-${index}` })),
  ),
  ...read("jsonrpc/zone-request"),
  ...read("jsonrpc/request"),
];

/** An invalid fixture stands beside what is wrong with it. */
function read(folder: string): unknown[] {
  return globSync(`${folder}/{valid,invalid}/*.json`, { cwd: fixtures })
    .toSorted()
    .map((file) => {
      const content: unknown = JSON.parse(readFileSync(resolve(fixtures, file), "utf8"));
      return file.includes("/invalid/") ? (content as { value: unknown }).value : content;
    });
}
