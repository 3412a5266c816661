import {
  isMcpServer,
  isMcpServerList,
  isMessageRecord,
  isTaskList,
  isTaskRecord,
  isUsageBudgetList,
  isUsageReport,
  type MessageRecord,
  type TaskState,
  type UsageGrouping,
} from "@crosszone/contracts";
import type { CallApi } from "./agents-api.ts";
import { RefusedError, UnreachableError } from "./failures.ts";
import { type Page, queryOf, send, type ZoneAddress } from "./send.ts";

export interface TaskQuery extends Page {
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlation_id?: string;
}

/** Client of the zone's task API. Every method rejects with `RefusedError` or `UnreachableError`. */
export type TasksApi = ReturnType<typeof createTasksApi>;

export function createTasksApi(retried: CallApi) {
  return {
    list: (query: TaskQuery) => retried(isTaskList, { path: `tasks${queryOf({ ...query })}` }),
    get: (taskId: string) => retried(isTaskRecord, { path: `tasks/${encodeURIComponent(taskId)}` }),
  };
}

/** Timeout of the look-up, milliseconds. */
const messageMs = 5_000;

/** Returns what became of a message; undefined if the verification zone does not know its reference. */
export async function findMessage(zone: ZoneAddress, reference: string): Promise<MessageRecord | undefined> {
  const signal = AbortSignal.timeout(messageMs);
  try {
    const response = await send(zone, { path: `messages/${encodeURIComponent(reference)}`, signal });
    const found: unknown = await response.json();
    if (isMessageRecord(found)) return found;
    throw new UnreachableError(`${zone.url} sent a response that this version of crosszone can't read. ${zone.hint}`);
  } catch (error) {
    if (error instanceof RefusedError && error.kind === "not-found") return undefined;
    throw error;
  }
}

export interface UsageQuery extends Page {
  readonly by: UsageGrouping;
  /** RFC 3339. Default: the zone's own range, this month until now. */
  readonly since?: string;
  readonly until?: string;
}

/** Makes the client of the zone's usage API. Every method rejects with `RefusedError` or `UnreachableError`. */
export function createUsageApi(retried: CallApi) {
  return {
    report: (query: UsageQuery) => retried(isUsageReport, { path: `usage${queryOf({ ...query })}` }),
    budgets: () => retried(isUsageBudgetList, { path: "usage/budgets" }),
  };
}

/** The MCP methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export type McpApi = ReturnType<typeof createMcpApi>;

export function createMcpApi(retried: CallApi) {
  return {
    list: () => retried(isMcpServerList, { path: "mcp-servers" }),
    /** Pins tool definitions by their fingerprints: all of them, or none if one is refused. */
    approve: (server: string, tools: Readonly<Record<string, string>>) =>
      retried(isMcpServer, {
        method: "POST",
        path: `mcp-servers/${encodeURIComponent(server)}/approve`,
        body: { tools },
      }),
  };
}
