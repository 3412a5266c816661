import type { AgentRecord, ParamProblem } from "@crosszone/contracts";
import { settingsOf, type FullSettings } from "../agent-settings.ts";
import { canaryWay, isSameWay, type AgentWay } from "../agent-way.ts";
import { RegistryProblem } from "../api/registry-problem.ts";
import type { AgentGate } from "./check-agent.ts";

/** A requested change of an enabled agent. */
export interface GatedChange {
  readonly from: AgentRecord;
  readonly to: FullSettings;
  readonly signal: AbortSignal;
}

/**
 * Throws a `RegistryProblem` that names the failed checks if the change moves an enabled agent, or its canary, to another protocol that the
 * agent does not comply with. A change to `auto` or back to the protocol and URL before passes without a check.
 */
export async function passGate(gate: AgentGate, { from, to, signal }: GatedChange): Promise<void> {
  if (!to.enabled) return;
  const before = settingsOf(from);
  const isBack = to.protocol === from.previous?.protocol && to.url === from.previous.url;
  if (to.protocol !== before.protocol && to.protocol !== "auto" && !isBack)
    await requireCompliance(gate, { from, way: to, pointer: "/protocol", signal });
  const way = canaryWay(to);
  if (way === undefined || isSameWay(way, canaryWay(before))) return;
  if (way.protocol !== to.protocol && way.protocol !== "auto")
    await requireCompliance(gate, { from, way, pointer: "/canary/protocol", signal });
}

export interface RequiredCompliance {
  readonly from: AgentRecord;
  readonly way: AgentWay;
  /** Where the failed checks are reported. */
  readonly pointer: string;
  readonly signal: AbortSignal;
}

/** Throws a `RegistryProblem` that names each failed check, unless the agent complies when it is called this way. */
export async function requireCompliance(
  gate: AgentGate,
  { from, way, pointer, signal }: RequiredCompliance,
): Promise<void> {
  const { protocol, protocol_config, url } = way;
  const failed = await gate.failedChecks({ ...from, protocol, protocol_config, url }, signal);
  if (failed.length === 0) return;
  const problems = failed.map(({ id, title, problem = title, mend = "" }): ParamProblem => {
    return { pointer, message: `${id}: ${problem} ${mend}`.trim() };
  });
  const message = `The agent fails ${failed.length} of the checks of ${protocol}. Correct what \`problems\` names, or keep ${from.protocol}.`;
  throw new RegistryProblem("not_compliant", message, { problems });
}
