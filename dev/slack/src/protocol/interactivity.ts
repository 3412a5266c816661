import { z } from "zod";

const id = z.string().min(1);

/** What a person does with one element of a message or of an open view. */
export const ACT = z.strictObject({
  user: id,
  channel: id.exactOptional(),
  ts: id.exactOptional(),
  view_id: id.exactOptional(),
  action_id: id,
  /** Required if several blocks have the action. */
  block_id: id.exactOptional(),
  /**
   * Nothing for a button. The `value` of an option or of a feedback button; the id of a user or a channel; `2026-01-31`, `14:30` or Unix
   * seconds; the typed text, or an empty one. A list for several choices.
   */
  value: z.union([z.string(), z.array(z.string())]).exactOptional(),
});
export type Act = z.infer<typeof ACT>;

/** A modal that a person has open. */
export const VIEW_PLACE = z.strictObject({ user: id, view_id: id });
export type ViewPlace = z.infer<typeof VIEW_PLACE>;

/** The app's immediate reaction to an interaction. */
export interface Interaction {
  /** HTTP status; 0 without a response, or if Slack sent nothing, as for an input without `dispatch_action`. */
  status: number;
  ms: number;
  /** Why the person sees a warning sign: Slack's error code. Slack does not send an interaction again. */
  warning?: string;
  /** What the app says is wrong in a modal, by `block_id`. */
  errors?: Record<string, string>;
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
