/**
 * What the built-in agent says of itself, first in its help and in every answer to something it cannot do, so that
 * nobody takes it for a language model.
 */
export const INTRODUCTION =
  "I am the **built-in agent**: a set of small programs. **No language model is connected.** To connect one, an operator runs their own agent behind the `Agent` port in `apps/execution/src/agents`.";
