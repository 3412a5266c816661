import type { AgentTest } from "@crosszone/contracts";
import { defineCommand, exitCodes, jsonOption, type Command } from "../arguments/command.ts";
import { exchangeText } from "../output/exchange-text.ts";
import { harmless, harmlessJson, harmlessLine } from "../output/harmless.ts";
import { healthText } from "../output/health-text.ts";
import { orNearAgent } from "./near-agents.ts";

export const testAgent: Command = defineCommand({
  name: "agents test",
  summary: "Fetches an agent's card, asks it a question, prints the exchange, and explains failures.",
  operands: "<agent or url>",
  count: [1, 1],
  options: {
    question: { type: "string", value: "<text>", help: 'the question (default: "Hello")' },
    protocol: { type: "string", value: "<protocol>", help: "for an agent by URL: auto (default), a2a-1.0, …" },
    json: { ...jsonOption, help: "print the whole result as JSON" },
  },
  examples: [
    ['crosszone agents test counter --question "How many words?"', "check that it works"],
    ["crosszone agents test http://127.0.0.1:8090", "before you add it"],
  ],
  run: async ({ values: { question: text = "Hello", protocol, json }, operands: [tested = ""] }, session) => {
    const { agents } = session.api();
    const isUrl = /^https?:\/\//.test(tested);
    const meant = isUrl ? { url: tested, ...(protocol !== undefined && { protocol }) } : { agent: tested };
    const found = await agents.test({ ...meant, text }).catch(isUrl ? rethrow : orNearAgent(agents, tested));
    if (json) session.stdout.write(`${harmlessJson(found)}\n`);
    else {
      const exchanges = found.exchanges.map((exchange) => `${exchangeText(exchange)}\n`).join("");
      session.stdout.write(`${healthText(found.health)}Question: ${harmlessLine(text)}\n\n${exchanges}`);
      if (found.failure === undefined) session.stdout.write(`Answer: ${harmless(answerText(found))}\n`);
      else session.stderr.write(`No answer: ${harmlessLine(found.failure.message)}\n`);
    }
    return found.status === "answered" ? exitCodes.done : exitCodes.failed;
  },
});

const rethrow = (error: unknown): never => {
  throw error;
};

/** Returns the text of an answer: of its artifacts, otherwise of its message, otherwise the whole output as JSON. */
function answerText({ output }: AgentTest): string {
  const { text, response } = (output ?? {}) as { readonly text?: unknown; readonly response?: unknown };
  const said = text ?? response;
  return typeof said === "string" ? said : harmlessJson(output);
}
