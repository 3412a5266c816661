import type { ListAgentsResult } from "@crosszone/contracts";
import type { VerificationConfig } from "../../config/config.ts";
import type { AuthKind } from "../../zone-link/check-execution-auth.ts";

/** A connection to execution, over the configured transport. */
export interface ZoneConnection {
  /** Rejects with a `ZoneError` or a `LinkError`. */
  readonly listAgents: () => Promise<ListAgentsResult>;
  readonly close: () => Promise<void>;
}

/** Opens a new connection for a check, which closes it. */
export type ConnectZone = () => Promise<ZoneConnection>;

/** What a check of execution needs. */
export interface ZoneCheck {
  readonly connect: ConnectZone;
  /** The configured transport, which selects the advice for a failure. */
  readonly transport: VerificationConfig["EXECUTION_TRANSPORT"];
  /** How this zone authenticates. */
  readonly proof: AuthKind;
}
