import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { FileLoaded } from "./file-loaded.ts";
import {
  type AgentChecks,
  type AgentClient,
  type AgentGate,
  type AgentStore,
  applyAgentsFile,
  type CardRules,
  createAgentGate,
  readAgentsFiles,
} from "@crosszone/agent-bridge";
import type { CheckConformance } from "@crosszone/conformance";
import { type Emit, followFiles } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** Loaded with the first check, which most processes never make. */
export const checkConformance: CheckConformance = async (options) =>
  (await import("@crosszone/conformance")).checkConformance(options);

export interface AgentsFileDeps {
  readonly store: AgentStore;
  readonly client: AgentClient;
  readonly checks: AgentChecks;
  /** Trusts the keys of the file. */
  readonly cardRules: CardRules;
  readonly emit: Emit<ExecutionEvent>;
  readonly loaded: FileLoaded;
  /** Called after each change of agents. */
  readonly onApplied: () => void;
}

/**
 * Applies AGENTS_FILE, and again after each edit. Returns a function that stops this. Rejects with a
 * `FileProblemsError` that names each mistake by line; a mistake in an edit is logged.
 */
export async function openAgentsFile(
  paths: readonly string[],
  { store, client, checks, cardRules, emit, loaded, onApplied }: AgentsFileDeps,
): Promise<() => Promise<void>> {
  if (paths.length === 0) return async () => undefined;
  const { failedChecks } = createAgentGate(client, checkConformance);
  const closing = new AbortController();
  const { signal } = closing;
  const actor = `file:${paths.map((path) => basename(path)).join(",")}`;
  const read = async () => {
    const { problems, ...content } = await readAgentsFiles(paths, checks);
    if (problems.length > 0) throw new FileProblemsError(problems);
    return content;
  };
  const apply = async (content: Awaited<ReturnType<typeof read>>): Promise<void> => {
    const { agents, cardKeys } = content;
    await loaded("agents", content, paths);
    cardRules.trust(cardKeys);
    const applied = await applyAgentsFile(store, agents, { actor, correlationId: randomUUID() });
    onApplied();
    emit("agents_file_applied", { ...applied, kept: applied.kept.length });
    void reportMovedAgents(applied.moved, { find: (name) => store.get(name), failedChecks, emit, signal });
  };
  const followed = await followFiles({
    paths,
    read,
    store: apply,
    onApplied: () => undefined,
    onFailure: (error) => emit("agents_file_not_usable", { because: errorText(error) }),
  });
  return async () => {
    closing.abort();
    await followed.close();
  };
}

export interface MovedAgents {
  readonly find: AgentStore["get"];
  readonly failedChecks: AgentGate["failedChecks"];
  readonly emit: Emit<ExecutionEvent>;
  /** Ends the checks. */
  readonly signal: AbortSignal;
}

/** Checks agents that a file has moved to another protocol. The file decides, so a failed check is only logged. Never rejects. */
export async function reportMovedAgents(names: readonly string[], deps: MovedAgents): Promise<void> {
  const { find, failedChecks, emit, signal } = deps;
  for (const name of names) {
    try {
      const agent = await find(name);
      if (agent === undefined || !("id" in agent) || agent.protocol === "auto") continue;
      const failed = await failedChecks(agent, signal);
      const ids = failed.map(({ id }) => id);
      const because = `fails checks of ${agent.protocol}: ${ids.join(", ")}`;
      if (ids.length > 0) emit("agent_not_compliant", { agent_name: name, because });
    } catch (cause) {
      if (signal.aborted) return;
      emit("agent_not_compliant", { agent_name: name, because: "it could not be checked", cause });
    }
  }
}
