import {
  isMcpServer,
  isMcpServerList,
  isMessageRecord,
  isTaskList,
  isTaskRecord,
  isUsageBudgetList,
  isUsageReport,
  type McpServer,
  type McpServerList,
  type MessageRecord,
  type TaskList,
  type TaskRecord,
  type TaskState,
  type UsageBudgetList,
  type UsageGrouping,
  type UsageReport,
} from "@crosszone/contracts";
import type { CallApi } from "./agents-api.ts";
import { RefusedError, UnreachableError } from "./failures.ts";
import { type Page, queryOf, send, type ZoneAddress } from "./send.ts";

interface TaskQuery extends Page {
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlation_id?: string;
}

/** Client of the zone's task API. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface TasksApi {
  readonly list: (query: TaskQuery) => Promise<TaskList>;
  readonly get: (taskId: string) => Promise<TaskRecord>;
}

export function createTasksApi(retried: CallApi): TasksApi {
  return {
    list: (query) => retried(isTaskList, { path: `tasks${queryOf({ ...query })}` }),
    get: (taskId) => retried(isTaskRecord, { path: `tasks/${encodeURIComponent(taskId)}` }),
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

interface UsageQuery extends Page {
  readonly by: UsageGrouping;
  /** RFC 3339. Default: the zone's own range, this month until now. */
  readonly since?: string;
  readonly until?: string;
}

/** Client of the zone's usage API. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface UsageApi {
  readonly report: (query: UsageQuery) => Promise<UsageReport>;
  readonly budgets: () => Promise<UsageBudgetList>;
}

export function createUsageApi(retried: CallApi): UsageApi {
  return {
    report: (query) => retried(isUsageReport, { path: `usage${queryOf({ ...query })}` }),
    budgets: () => retried(isUsageBudgetList, { path: "usage/budgets" }),
  };
}

/** The MCP methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface McpApi {
  readonly list: () => Promise<McpServerList>;
  /** Pins tool definitions by their fingerprints: all of them, or none if one is refused. */
  readonly approve: (server: string, tools: Readonly<Record<string, string>>) => Promise<McpServer>;
}

export function createMcpApi(retried: CallApi): McpApi {
  return {
    list: () => retried(isMcpServerList, { path: "mcp-servers" }),
    approve: (server, tools) =>
      retried(isMcpServer, {
        method: "POST",
        path: `mcp-servers/${encodeURIComponent(server)}/approve`,
        body: { tools },
      }),
  };
}
