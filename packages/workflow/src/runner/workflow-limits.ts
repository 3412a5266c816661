/** What runs are held to. */
export interface WorkflowLimits {
  /** How long a run may take whose definition does not say, milliseconds. */
  readonly deadlineMs: number;
  /** How long an agent's step may take that does not say, milliseconds. */
  readonly stepTimeoutMs: number;
  /** How many tasks of one run may be with agents at once. */
  readonly maxRunning: number;
  /** How much the input of a run and all inputs, outputs and agents' errors of its steps may be together, bytes of their JSON. */
  readonly maxRunBytes: number;
  /** How long an ended run is kept, milliseconds. */
  readonly retentionMs: number;
}
