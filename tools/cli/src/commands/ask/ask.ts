import type { ErrorKind } from "@crosszone/contracts";
import { QuestionError } from "../../api/ask-agent.ts";
import { type Command, defineCommand, jsonOption } from "../../program/command.ts";
import { exitCodes, UsageError } from "../../program/session.ts";
import { unknownAgent } from "../../program/unknown-names.ts";
import { harmless, harmlessJson, harmlessLine, ownName } from "../../text/terminal-text.ts";

export const askCommand: Command = defineCommand({
  name: "ask",
  summary: "Asks an agent through the zone and prints its answer.",
  operands: ["<agent>", "<question>"],
  options: {
    context: { flags: "--context <id>", help: "any id you choose; the same id continues the conversation" },
    json: { ...jsonOption, help: "print the whole result as JSON" },
  },
  examples: [
    ['crosszone ask counter "How many words?"', "a single question"],
    ['crosszone ask counter "And now?" --context c1', "a question in a conversation"],
  ],
  run: async ({ values: { context, json }, operands: [agent = "", text = ""] }, session) => {
    const { api, stdout, stderr, onInterrupt } = session;
    if (context !== undefined && !/^[!-~]{1,128}$/.test(context))
      throw new UsageError("--context must be 1 to 128 printable ASCII characters without spaces.");
    const { askAgent } = api();
    const left = new AbortController();
    const stopListening = onInterrupt(() => left.abort());
    try {
      const onProgress = (says: string): void => void stderr.write(`${harmlessLine(says)}\n`);
      const answer = await askAgent({ agent, text, contextId: context, onProgress, signal: left.signal });
      stdout.write(`${json ? harmlessJson(answer) : harmless(answer.response_text)}\n`);
      for (const { name, size } of json ? [] : (answer.files ?? []))
        stderr.write(`File: ${harmlessLine(name)} (${size} bytes)\n`);
      return exitCodes.done;
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
      const isUnknown = error.data.kind === "unknown_agent";
      stderr.write(isUnknown ? `${harmless(await unknownAgent(agent, session))}\n` : questionProblem(error));
      return isUnknown || error.data.kind === "unauthorized" ? exitCodes.refused : exitCodes.failed;
    } finally {
      stopListening();
    }
  },
});

/** What happened and what to do, for each error kind of a question. */
const sentences: Partial<Record<ErrorKind, string>> = {
  agent_unavailable: `The agent can't be reached. Check that it runs, and its URL: ${ownName} agents show`,
  agent_misconfigured: `The agent's address, protocol or credentials can't be used. What is wrong: ${ownName} agents test`,
  agent_failed: "The agent failed.",
  agent_invalid_response: "The agent sent a response that Crosszone can't read.",
  agent_lost_task: "The agent has lost this task. Ask again.",
  agent_lost_answer:
    "The agent accepted this and ended without an answer. It may have acted: check before you ask again.",
  timeout: "The agent timed out. Slow agents should return a task at once and complete it later.",
  canceled: "Canceled.",
  rate_limited: "The agent or the zone is busy. Try again later.",
  zone_unavailable: "The zone can't work now.",
  unauthorized:
    "The zone needs CROSSZONE_LINK_TOKEN: its EXECUTION_TOKEN. `./crosszone` sets it for `./crosszone dev`.",
};

/** Returns the error text of a failed question: a sentence, the agent's own message, the owner's detail, and the reference for the logs. */
function questionProblem({ message, data }: QuestionError): string {
  const { kind, agent_says, owner_detail, correlation_id, problems = [] } = data;
  const why = kind === "zone_unavailable" ? problems.map((problem) => ` Cause: ${problem.message}.`).join("") : "";
  const lines = [harmlessLine(`${(kind && sentences[kind]) ?? message}${why}`)];
  if (agent_says !== undefined) lines.push(`The agent says: ${harmless(agent_says)}`);
  if (owner_detail !== undefined) lines.push(`Detail: ${harmless(owner_detail)}`);
  if (correlation_id !== undefined) lines.push(`Reference: ${harmlessLine(correlation_id)}`);
  return `${lines.join("\n")}\n`;
}
