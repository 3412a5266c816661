import { ZoneError, type AgentSummary, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { nearNames } from "./near-names.ts";

/** An agent or a workflow that a message can name. */
export type Named = Pick<AgentSummary, "name" | "kind">;

/** Thrown when a message names an agent or a workflow that does not exist or is switched off. */
export class NoSuchAgentError extends ZoneError {
  /** Similar names, the nearest first. */
  readonly near: readonly Named[];

  constructor(agent: string, near: readonly Named[], options: { cause?: unknown } = {}) {
    super("unknown_agent", { agent }, options);
    this.near = near;
  }
}

/** Timeout for listing the similar names, milliseconds. The question is answered without them if it expires. */
const timeoutMs = 3_000;

/**
 * Returns the error to throw in place of `error`. An `unknown_agent` error becomes a `NoSuchAgentError` with similar names, if execution
 * lists them in time; any other error is returned unchanged.
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

/** Keyed by name: agents and workflows share one namespace. */
async function listed(zone: Client<ZoneMethods>, call: CallOptions): Promise<ReadonlyMap<string, Named>> {
  try {
    const { agents } = await zone.call("list_agents", {}, { ...call, timeoutMs: timeoutMs });
    return new Map(agents.map((one) => [one.name, one]));
  } catch {
    return new Map();
  }
}
