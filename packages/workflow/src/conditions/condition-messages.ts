import type { ConditionValues } from "./condition-values.ts";

/** A value on its way to the thread: one that fits into a message as it is, or the number of one that was sent. */
export type SentValue = { readonly value: unknown } | { readonly sent: number };

/** What the thread of conditions is told. */
export type ToConditionThread =
  | {
      readonly type: "evaluate";
      readonly expression: string;
      readonly variables: readonly string[];
      readonly values: ConditionValues<SentValue>;
      /** Values to keep until they are forgotten, by their numbers. */
      readonly added: ReadonlyMap<number, unknown>;
      /** How many characters the condition may make. */
      readonly characters: number;
    }
  | { readonly type: "forget" };

/** `exhausted`: it took too long, and is not to be tried again. */
export type FromConditionThread =
  { readonly isTrue: boolean } | { readonly fault: string } | { readonly exhausted: string };
