/** Receives events of the admin API, for logs. */
export interface ApiObserver {
  /** An agent was created, changed or deleted. `agent` is absent when it was deleted. */
  readonly agentChanged: (change: {
    readonly actor: string;
    readonly correlationId: string;
    readonly name: string;
    readonly agent?: { readonly revision: number; readonly enabled: boolean } | undefined;
  }) => void;
  /** Definitions of MCP tools were approved. */
  readonly toolsApproved: (approval: {
    readonly server: string;
    readonly tools: readonly string[];
    readonly actor: string;
    readonly correlationId: string;
  }) => void;
  /** A request was refused; with a cause when the zone is at fault. */
  readonly refused: (refusal: {
    readonly kind: string;
    readonly method: string;
    readonly correlationId: string;
    readonly cause?: unknown;
  }) => void;
}
