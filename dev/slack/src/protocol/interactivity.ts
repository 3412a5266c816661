/** What a person does with one element of a message or of an open view. */
export interface Act {
  user: string;
  channel?: string;
  ts?: string;
  view_id?: string;
  action_id: string;
  /** Required if several blocks have the action. */
  block_id?: string;
  /**
   * Nothing for a button. The `value` of an option or of a feedback button; the id of a user or a channel; `2026-01-31`, `14:30` or Unix
   * seconds; the typed text, or an empty one. A list for several choices.
   */
  value?: string | string[];
}

export interface SubmitView {
  user: string;
  view_id: string;
}

export interface CloseView extends SubmitView {
  /** Closes all modals, not only the top one. */
  is_cleared?: boolean;
}

/** The app's immediate reaction to an interaction. */
export interface Interaction {
  /** HTTP status; 0 without a response, or if Slack sent nothing, as for an input without `dispatch_action`. */
  status: number;
  ms: number;
  /** Why the person sees a warning sign: Slack's error code. Slack does not send an interaction again. */
  warning?: string;
  /** What the app says is wrong in a modal, by `block_id`. */
  errors?: Record<string, string>;
  /** The suggested options. */
  options?: Record<string, unknown>[];
}

/** A warning sign that a person saw. */
export interface Warning {
  user: string;
  /** The type of interaction, e.g. `block_actions`. */
  type: string;
  /** The `ts` of the message, or the id of the view. */
  on: string;
  error: string;
}
