/** What one model call uses, or may use. */
export interface CallCost {
  /** Input and output. */
  readonly tokens: number;
  /** US dollars; null when the model has no known price. */
  readonly cost: number | null;
}

/** One model call for the records. */
export interface CallRecord extends CallCost {
  /** `provider/id`. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** The provider did not say what it counted. */
  readonly estimated: boolean;
}

/** A call that a budget has room for. */
export interface ReservedCall {
  /** Replaces what was reserved by what was used. A call that is never settled counts as it was reserved. */
  settle(used: CallRecord): Promise<void>;
}

/** Whoever pays for model calls. */
export interface Spending {
  /** Makes room for a call before it is made. Rejects with an `AssistantError` `budget` when a budget has no room for it. */
  reserve(most: CallRecord): Promise<ReservedCall>;
}
