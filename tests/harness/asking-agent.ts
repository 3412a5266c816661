import { type Agent, TaskPaused } from "@crosszone/execution";

/** Asks why, and says so. */
export const askingAgent: Agent = {
  name: "asking",
  description: "Asks why",
  skills: [],
  run: async ({ text }, { inputs }) => {
    const asked = { key: "why", kind: "text" as const, title: "Why?", body: "In a word." };
    const decision = inputs?.decided.get(asked.key);
    if (decision === undefined) throw new TaskPaused([asked], { continuation: { at: 1 } });
    const value = decision.answer?.verdict === "answer" ? decision.answer.value : decision.state;
    return { response_text: `${text} because ${value}` };
  },
};
