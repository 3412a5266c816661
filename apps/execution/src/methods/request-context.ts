/** What a method knows of the request beside its params. */
export interface RequestContext {
  /** Who asks, as authentication found out. */
  readonly caller: string;
  /** Follows the request through logs and errors when its params name none. */
  readonly correlationId: string;
  /** Aborted when the asker went away; ends waiting, never a task. */
  readonly signal?: AbortSignal;
}
