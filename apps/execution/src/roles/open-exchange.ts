import { createReadAgentProgress } from "@crosszone/agent-bridge";
import type { MessageBus } from "@crosszone/bus";
import { createCounter, type Purge } from "@crosszone/service-kit";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import { createBridgedAgents } from "../agents/bridged/bridged-agents.ts";
import type { CallPreviews } from "../agents/bridged/call-previews.ts";
import { createCallProgress } from "../agents/bridged/call-progress.ts";
import { createFetchAgentFile } from "../agents/bridged/fetch-linked-files.ts";
import { createTaskExchange, exchangeOperations, type TaskExchange } from "../agents/bridged/task-exchange.ts";
import { createSqlAgentWaits } from "../agents/bridged/waits/sql-agent-wait-store.ts";
import { createSqlConversations } from "../agents/conversations/sql-conversations.ts";
import { fileLinksPath, type FileLinks, type NewFileLink } from "../files/links/file-links.ts";
import { createSqlFileLinks } from "../files/links/sql-file-links.ts";
import type { OpenAgents } from "./open-agents.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The part of the bus that the role `rpc` uses: agents called over it, and their results. */
export interface OpenExchange {
  readonly agents: RegisteredAgents;
  readonly exchange: TaskExchange;
  /** Undefined without AGENT_FILES_URL. */
  readonly fileLinks: FileLinks | undefined;
  readonly purges: readonly Purge[];
}

export function openExchange(
  { config, database, vault, logger, metrics }: ZoneBasis,
  bus: MessageBus,
  { registry, client, previews }: Pick<OpenAgents, "registry" | "client"> & { readonly previews: CallPreviews },
): OpenExchange {
  const failures = createCounter(metrics.registry, {
    name: "task_exchange_failures_total",
    help: "Failed attempts to publish, look up or cancel a task on the bus, by operation; each is retried",
    labels: { operation: exchangeOperations },
  });
  const waits = createSqlAgentWaits(database, { outbox: bus.outbox, vault });
  const conversations = createSqlConversations(database, { vault, retentionMs: config.CONVERSATION_RETENTION });
  const links = createSqlFileLinks(database);
  const { AGENT_FILES_URL: filesUrl, MAX_FILE: maxBytes } = config;
  const linkFile = async (file: NewFileLink): Promise<string> =>
    `${filesUrl?.replace(/\/$/, "")}${fileLinksPath}${await links.add(file)}`;
  const exchange = createTaskExchange({
    bus,
    waits,
    now: () => new Date(),
    onFailure: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_exchange_failed", { operation, cause });
    },
  });
  return {
    agents: createBridgedAgents(registry, {
      exchange,
      conversations,
      previews,
      progress: createCallProgress(createReadAgentProgress(database, vault)),
      showDetail: config.SHOW_AGENT_ERRORS,
      agentFiles: { maxBytes, fetchFile: createFetchAgentFile(client, config.FILE_TIMEOUT_MS) },
      ...(filesUrl !== undefined && { fileLinks: { maxBytes, linkFile } }),
    }),
    exchange,
    fileLinks: filesUrl === undefined ? undefined : links,
    purges: [{ table: "agent_wait", purge: (most) => waits.forget(most) }, conversations.purge, links.purge],
  };
}
