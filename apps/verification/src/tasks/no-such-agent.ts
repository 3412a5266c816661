import { ZoneError, type AgentSummary, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { nearNames } from "./near-names.ts";

/** What can be named: an agent, or a workflow. */
export type Named = Pick<AgentSummary, "name" | "kind">;

/** Somebody named an agent or a workflow that is not to be had: there is none of that name, or it is switched off. */
export class NoSuchAgentError extends ZoneError {
  /** Those that may have been meant, the nearest first. */
  readonly near: readonly Named[];

  constructor(agent: string, near: readonly Named[], options: { cause?: unknown } = {}) {
    super("unknown_agent", { agent }, options);
    this.near = near;
  }
}

/** How long the names of the others may take, milliseconds: the question has its answer without them too. */
const patienceMs = 3_000;

/**
 * What is thrown in the place of `error`: when that says that the agent is not known, the same with those that may have been meant,
 * if the execution zone tells them soon; anything else as it is.
 */
export async function withNearNames(
  error: unknown,
  {
    agent,
    zone,
    call,
  }: { readonly agent: string | undefined; readonly zone: Client<ZoneMethods>; readonly call: CallOptions },
): Promise<unknown> {
  if (agent === undefined || !(error instanceof ZoneError) || error.kind !== "unknown_agent") return error;
  const all = await listed(zone, call);
  const names = nearNames(agent, [...all.keys()]);
  return new NoSuchAgentError(
    agent,
    names.flatMap((name) => all.get(name) ?? []),
    { cause: error },
  );
}

/** By name: agents and workflows share one directory of names. */
async function listed(zone: Client<ZoneMethods>, call: CallOptions): Promise<ReadonlyMap<string, Named>> {
  try {
    const { agents } = await zone.call("list_agents", {}, { ...call, timeoutMs: patienceMs });
    return new Map(agents.map((one) => [one.name, one]));
  } catch {
    return new Map();
  }
}
