/** The default limits of runs. */
export interface WorkflowLimits {
  /** Default deadline of a run, milliseconds. */
  readonly deadlineMs: number;
  /** Default timeout of an agent step, milliseconds. */
  readonly stepTimeoutMs: number;
  /** Maximum number of concurrent tasks of one run. */
  readonly maxRunning: number;
  /** Maximum total size of a run's input and of all inputs, outputs and errors of its steps, bytes of JSON. */
  readonly maxRunBytes: number;
  /** How long an ended run is stored, milliseconds. */
  readonly retentionMs: number;
}
