import { createReadAgentProgress } from "@crosszone/agent-bridge";
import type { CallIntake } from "@crosszone/jobs";
import type { Purge } from "@crosszone/service-kit";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import { createFetchAgentFile } from "../agents/answers/fetch-linked-files.ts";
import { createBridgedAgents } from "../agents/bridged/bridged-agent.ts";
import { type CallPreviews, createCallProgress } from "../agents/calls/call-previews.ts";
import { createReadCalls } from "../agents/calls/call-reader.ts";
import { createTaskCalls, type TaskCalls } from "../agents/calls/task-calls.ts";
import { createSqlConversations } from "../agents/conversations.ts";
import { createSqlFileLinks, type FileLinks, fileLinksPath, type NewFileLink } from "../files/file-links.ts";
import { observeCalls } from "../observers/observe-agents.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The part of agent calls that the role `rpc` uses: calls for tasks, and their results. */
export interface OpenTaskCalls {
  readonly agents: RegisteredAgents;
  readonly calls: TaskCalls;
  /** Undefined without AGENT_FILES_URL. */
  readonly fileLinks: FileLinks | undefined;
  readonly purges: readonly Purge[];
}

export function openTaskCalls(
  { config, database, jobs, vault, logger, metrics }: ZoneBasis,
  { registry, client, previews }: Pick<OpenAgents, "registry" | "client"> & { readonly previews: CallPreviews },
  intake: CallIntake,
): OpenTaskCalls {
  const conversations = createSqlConversations(database, { vault, retentionMs: config.CONVERSATION_RETENTION });
  const links = createSqlFileLinks(database);
  const { AGENT_FILES_URL: filesUrl, MAX_FILE: maxBytes } = config;
  const linkFile = async (file: NewFileLink): Promise<string> =>
    `${filesUrl?.replace(/\/$/, "")}${fileLinksPath}${await links.add(file)}`;
  const calls = createTaskCalls({
    intake,
    jobs: jobs.store,
    read: createReadCalls(database, vault),
    deadlineMs: config.TASK_DEADLINE,
    observer: observeCalls({ logger, metrics }),
  });
  jobs.onEnded(calls.readSoon);
  return {
    agents: createBridgedAgents(registry, {
      calls,
      conversations,
      previews,
      progress: createCallProgress(createReadAgentProgress(database, vault)),
      showDetail: config.SHOW_AGENT_ERRORS,
      agentFiles: { maxBytes, fetchFile: createFetchAgentFile(client, config.FILE_TIMEOUT_MS) },
      ...(filesUrl !== undefined && { fileLinks: { maxBytes, linkFile } }),
    }),
    calls,
    fileLinks: filesUrl === undefined ? undefined : links,
    purges: [conversations.purge, links.purge],
  };
}
