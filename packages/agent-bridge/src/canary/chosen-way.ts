import { hash } from "node:crypto";
import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { canaryWay, isSameWay, wayOf, type AgentWay } from "../registry/agent-settings.ts";

/** How a call is sent, from its first request to its end, even if the agent changes meanwhile. */
export interface ChosenWay extends AgentWay {
  /** The canary during which the call began. */
  readonly trial?: Trial;
}

/** A canary from its start to its end, and the side of a call. */
export interface Trial {
  readonly id: string;
  readonly isCanary: boolean;
}

/** Returns the side of a canary as a column that finds its calls. */
export const trialColumn = ({ id, isCanary }: Trial): string => `${id} ${isCanary ? "canary" : "stable"}`;

/** Returns the columns of the way on which a call is sent. */
export const wayColumns = (way: ChosenWay): { readonly way: string; readonly trial: string | null } => ({
  way: JSON.stringify(way),
  trial: way.trial === undefined ? null : trialColumn(way.trial),
});

/** Returns the id of an agent's canary; undefined without one. A canary that is started again has another id. */
export function trialId({ id, canary_since }: Pick<AgentRecord, "id" | "canary_since">): string | undefined {
  return canary_since === undefined ? undefined : `${id} ${canary_since}`;
}

/** Chooses how to send a task: a canary's share of the conversations uses its variant, and each conversation always the same one. */
export function chooseWay(agent: AgentRecord, task: Pick<AgentTask, "task_id" | "context_id">): ChosenWay {
  const way = canaryWay(agent);
  const id = trialId(agent);
  if (way === undefined || id === undefined) return wayOf(agent);
  const isCanary = placeOf(agent, task.context_id ?? task.task_id) < (agent.canary?.share ?? 0);
  return { ...(isCanary ? way : wayOf(agent)), trial: { id, isCanary } };
}

/**
 * Returns the agent with the protocol and URL of a call. If they are not the agent's own, it has another name and id, so that its failures
 * open another circuit.
 */
export function agentOnWay(agent: AgentRecord, way: ChosenWay): AgentRecord {
  if (isSameWay(agent, way)) return agent;
  const kind = way.trial?.isCanary === true ? "canary" : "former";
  return { ...agent, ...wayOf(way), id: `${agent.id} ${kind} ${way.url}`, name: `${agent.name} (${kind})` };
}

/** From 0 to below 1, the same for the same conversation. */
function placeOf({ id }: AgentRecord, conversation: string): number {
  const digest = hash("sha256", JSON.stringify([id, conversation.toWellFormed()]));
  return Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32;
}
