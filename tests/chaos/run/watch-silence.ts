import type { DevSlack } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";

/** Knows when to stop waiting for answers. */
export interface Silence {
  /** From now on everything is whole. */
  readonly begin: () => void;
  /** Whether nothing has been said for so long, since then, that nothing will be. */
  readonly isLong: () => boolean;
}

const longMs = 60_000;

export function watchSilence({ control }: DevSlack, { now }: Journal): Silence {
  let since = Infinity;
  control.subscribe(({ type }) => {
    if (since < Infinity && type.startsWith("message")) since = now();
  });
  return {
    begin: () => {
      since = now();
    },
    isLong: () => now() - since > longMs,
  };
}
