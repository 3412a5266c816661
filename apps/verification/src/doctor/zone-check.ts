import type { ListAgentsResult } from "@crosszone/contracts";
import type { VerificationConfig } from "../config.ts";
import type { AuthKind } from "../config/check-execution-auth.ts";

/** A connection to the execution zone, over the transport that is configured. */
export interface ZoneConnection {
  /** Rejects as the client of the zone link does: `ZoneError` or `LinkError`. */
  readonly listAgents: () => Promise<ListAgentsResult>;
  readonly close: () => Promise<void>;
}

/** Opens a connection of its own for a check, which closes it. */
export type ConnectZone = () => Promise<ZoneConnection>;

/** What a check needs that talks to the execution zone. */
export interface ZoneCheck {
  readonly connect: ConnectZone;
  /** The way that is configured, for what to do when it fails. */
  readonly transport: VerificationConfig["EXECUTION_TRANSPORT"];
  /** How this zone proves who it is. */
  readonly proof: AuthKind;
}
