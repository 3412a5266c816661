import { ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { nearNames } from "./near-names.ts";

/** Somebody named an agent that cannot be asked: there is none of that name, or it is disabled. */
export class NoSuchAgentError extends ZoneError {
  /** Names of agents that may have been meant, the nearest first. */
  readonly near: readonly string[];

  constructor(agent: string, near: readonly string[], options: { cause?: unknown } = {}) {
    super("unknown_agent", { agent }, options);
    this.near = near;
  }
}

/** How long the names of the others may take, milliseconds: the question has its answer without them too. */
const patienceMs = 3_000;

/**
 * What is thrown in the place of `error`: when that says that the agent is not known, the same with the names that may have been meant,
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
  const names = await namesOf(zone, call);
  return new NoSuchAgentError(agent, nearNames(agent, names), { cause: error });
}

async function namesOf(zone: Client<ZoneMethods>, call: CallOptions): Promise<string[]> {
  try {
    const { agents } = await zone.call("list_agents", {}, { ...call, timeoutMs: patienceMs });
    return agents.map(({ name }) => name);
  } catch {
    return [];
  }
}
