import { createReadAgentProgress } from "@crosszone/agent-bridge";
import type { CallIntake } from "@crosszone/agent-calls";
import { createFetchAgentFile } from "../agents/answers/fetch-linked-files.ts";
import { createBridgedAgents } from "../agents/bridged/bridged-agent.ts";
import { type CallPreviews, createCallProgress } from "../agents/calls/call-previews.ts";
import { createReadCalls } from "../agents/calls/call-reader.ts";
import { createTaskCalls } from "../agents/calls/task-calls.ts";
import { createSqlConversations } from "../agents/conversations.ts";
import { createSqlFileLinks, type FileLinks, fileLinksPath } from "../files/file-links.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { RoleParts } from "./role-parts.ts";

interface TaskCallsOptions extends Pick<RoleParts, "config" | "database" | "jobs" | "vault" | "emit"> {
  readonly agents: OpenAgents;
  readonly previews: CallPreviews;
  /** Accepts the calls of tasks. */
  readonly intake: CallIntake;
}

/** Calls of registered agents for tasks, and their results. */
export type OpenTaskCalls = ReturnType<typeof openTaskCalls>;

/** Opens the part of agent calls that the role `rpc` uses. There are no file links without EXECUTION_PUBLIC_URL. */
export function openTaskCalls(options: TaskCallsOptions) {
  const { config, database, jobs, vault, emit, agents, previews, intake } = options;
  const { EXECUTION_PUBLIC_URL: filesUrl, MAX_FILE: maxBytes, SHOW_AGENT_ERRORS: showDetail } = config;
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const links = createSqlFileLinks(database);
  const linkFile = async (file: Parameters<FileLinks["add"]>[0]): Promise<string> =>
    `${filesUrl?.replace(/\/$/, "")}${fileLinksPath}${await links.add(file)}`;
  const calls = createTaskCalls({
    intake,
    jobs: jobs.store,
    read: createReadCalls(database, vault),
    deadlineMs: config.TASK_DEADLINE,
    onFailure: (operation, cause) => emit("task_call_failed", { operation, cause }),
  });
  jobs.onEnded(calls.readSoon);
  const registered = createBridgedAgents(agents.registry, {
    calls,
    conversations,
    openPreview: previews.open,
    progress: createCallProgress(createReadAgentProgress(database, vault)),
    showDetail,
    agentFiles: { maxBytes, fetchFile: createFetchAgentFile(agents.client, config.FILE_TIMEOUT_MS) },
    fileLinks: filesUrl === undefined ? undefined : { maxBytes, linkFile },
  });
  const fileLinks = filesUrl === undefined ? undefined : links;
  return { calls, registered, fileLinks, purges: [conversations.purge, links.purge] };
}
