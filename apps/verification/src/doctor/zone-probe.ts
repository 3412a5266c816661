import type { ListAgentsResult } from "@crosszone/contracts";

/** A connection to the execution zone, over the transport that is configured. */
export interface ZoneConnection {
  /** Rejects as the client of the zone link does: `ZoneError` or `LinkError`. */
  readonly listAgents: () => Promise<ListAgentsResult>;
  readonly close: () => Promise<void>;
}

/** Opens a connection of its own for a check, which closes it. */
export type ConnectZone = () => ZoneConnection;
