/** The actual or largest possible use of a model call. */
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
  /** Whether the provider's counts are missing. */
  readonly estimated: boolean;
}

/** A call with reserved room in the budgets. */
export interface ReservedCall {
  /** Replaces the reservation by the actual use. The reservation of a call that is never settled stays. */
  settle(used: CallRecord): Promise<void>;
}

/** Pays for model calls. */
export interface Spending {
  /** Reserves room before a call. Rejects with an `AssistantError` `budget` when a budget has no room. */
  reserve(most: CallRecord): Promise<ReservedCall>;
}
