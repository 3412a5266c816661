import { setTimeout as wait } from "node:timers/promises";
import type { Agent, AgentContext } from "@crosszone/execution";
import { recite } from "./recite.ts";

const asked = /^(recite|stream) (\d+) characters of (\S+)$/;

/** A text that is streamed is shown in so many pieces, so often, milliseconds. */
const pieces = 40;
const everyMs = 100;

/** The module that this one stands in for: its own URL says which. */
const original = new URL(import.meta.url).searchParams.get("for") ?? "";
const { createBuiltinAgent: createOriginal } = (await import(original)) as { createBuiltinAgent: () => Agent };

/** The built-in agent, which also gives answers that are too long for one message, and answers that grow. */
export function createBuiltinAgent(): Agent {
  const agent = createOriginal();
  return {
    ...agent,
    run: async (input, context) => {
      const [, way, characters, name = ""] = asked.exec(input.text.trim()) ?? [];
      if (characters === undefined) return agent.run(input, context);
      const text = recite(name, Number(characters));
      if (way === "stream") await show(text, context);
      return { response_text: text };
    },
  };
}

/** Shows a text piece by piece. Rejects when the task is not to go on. */
async function show(text: string, { preview, signal }: AgentContext): Promise<void> {
  const size = Math.ceil(text.length / pieces);
  for (let shown = 0; shown < text.length; shown += size) {
    preview?.text(text.slice(shown, shown + size));
    await wait(everyMs, undefined, { signal });
  }
}
