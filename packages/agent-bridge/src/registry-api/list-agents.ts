import { type ApiExchange, page, readQuery, text, trueOrFalse } from "@crosszone/admin-api";
import {
  type AgentAuditEntry,
  type AgentAuditList,
  type AgentList,
  type AuditRecord,
  isAgentName,
} from "@crosszone/contracts";
import { pageBytes } from "@crosszone/sql";
import { isReadable } from "../registry/agent-row.ts";
import type { AgentStore } from "../registry/agent-store.ts";
import { RegistryProblem } from "./registry-problem.ts";

const agentQuery = { ...page, protocol: text, enabled: trueOrFalse, q: text };

/**
 * Returns a page of the matching agents, sorted by name; fewer than `limit` when they are large. `q` matches names and descriptions,
 * ignoring case.
 */
export async function listAgents(store: AgentStore, { request, content }: ApiExchange): Promise<AgentList> {
  const { limit, offset, protocol, enabled, q } = readQuery(request.url, agentQuery);
  await content.hold(await store.size());
  const wanted = q?.toLowerCase();
  const fitting = (await store.all())
    .filter(isReadable)
    .filter(
      (agent) =>
        (protocol === undefined || agent.protocol === protocol) &&
        (enabled === undefined || agent.enabled === enabled) &&
        (wanted === undefined || `${agent.name}\n${agent.description}`.toLowerCase().includes(wanted)),
    );
  let bytes = 0;
  const agents = fitting.slice(offset, offset + limit).filter((agent, index) => {
    bytes += Buffer.byteLength(JSON.stringify(agent));
    return index === 0 || bytes <= pageBytes;
  });
  return { agents, total: fitting.length, limit, offset };
}

/** Returns a page of the changes of agents with a name, the latest first. */
export async function listAudit(
  store: AgentStore,
  name: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<AgentAuditList> {
  // A database may reject text that can't be an agent's name.
  const part = { limit, offset };
  const { events, total } = isAgentName(name) ? await store.history(name, part) : { events: [], total: 0 };
  if (total === 0) throw new RegistryProblem("agent_not_found", "No agent of this name was ever changed.");
  return { entries: events.map(entryOf), total, ...part };
}

function entryOf({ event, content }: AuditRecord): AgentAuditEntry {
  const { action, details, at, actor, correlation_id } = event;
  // The address of the request is only for those who read the audit log.
  const { address: _address, client: _client, ...members } = content?.members ?? {};
  const written = { before: null, after: null, ...members } as Pick<AgentAuditEntry, "before" | "after" | "reason">;
  return {
    action: action.slice("agent.".length) as AgentAuditEntry["action"],
    revision: Number(details?.["revision"]),
    at,
    actor: actor.type === "token" ? `token:${actor.id}` : actor.id,
    correlation_id: correlation_id ?? event.id,
    ...written,
  };
}
