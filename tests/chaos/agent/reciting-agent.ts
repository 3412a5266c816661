import type { Agent } from "@crosszone/execution";
import { recite } from "./recite.ts";

const asked = /^recite (\d+) characters of (\S+)$/;

/** The module that this one stands in for: its own URL says which. */
const original = new URL(import.meta.url).searchParams.get("for") ?? "";
const { createBuiltinAgent: createOriginal } = (await import(original)) as { createBuiltinAgent: () => Agent };

/** The built-in agent, which also gives answers that are too long for one message. */
export function createBuiltinAgent(): Agent {
  const agent = createOriginal();
  return {
    ...agent,
    run: async (input, context) => {
      const [, characters, name = ""] = asked.exec(input.text.trim()) ?? [];
      if (characters === undefined) return agent.run(input, context);
      return { response_text: recite(name, Number(characters)) };
    },
  };
}
