import type { ConditionValues } from "./condition-values.ts";

/** A value for the thread: a small value itself, or the number of a value that was already sent. */
export type SentValue = { readonly value: unknown } | { readonly sent: number };

/** Messages to the condition thread. */
export type ToConditionThread =
  | {
      readonly type: "evaluate";
      readonly expression: string;
      readonly variables: readonly string[];
      readonly values: ConditionValues<SentValue>;
      /** Values that the thread keeps until a `forget` message, by number. */
      readonly added: ReadonlyMap<number, unknown>;
      /** Characters that the condition can create. */
      readonly characters: number;
    }
  | { readonly type: "forget" };

/** `exhausted`: the condition took too long and must not be retried. */
export type FromConditionThread =
  { readonly isTrue: boolean } | { readonly fault: string } | { readonly exhausted: string };
