import { setTimeout as delay } from "node:timers/promises";
import { type Agent, type AskedInput, TaskPaused } from "../agents/agent.ts";
import { agentThat } from "./start-zone.ts";

/** Answers after a time, and shows progress meanwhile. */
export const slowAgent = (ms: number): Agent =>
  agentThat(async (_input, { signal, preview }) => {
    preview?.progress({ steps: [], text: "reading \u202Eten\u0007 files" });
    await delay(ms, undefined, { signal });
    return { response_text: "done at last" };
  }, "slow");

/** Asks for inputs, one after the other, and answers with what they were. */
export const askingAgent = (name: string, asked: readonly Omit<AskedInput, "key">[]): Agent =>
  agentThat(async (_input, { inputs }) => {
    const answers = asked.map((_, at) => inputs?.decided.get(String(at)));
    const next = answers.indexOf(undefined);
    const input = asked[next];
    if (input !== undefined) throw new TaskPaused([{ ...input, key: String(next) }], { continuation: null });
    return { response_text: JSON.stringify(answers.map((decided) => decided?.answer ?? decided?.state)) };
  }, name);

/** What the person of a program can answer. */
export const ownDecision = { people: [], groups: [], requester: true, approve: 1, deny: 1 };

export const textInput = { kind: "text", title: "Which city?", decide: ownDecision } as const;
export const chooseInput = {
  kind: "choose",
  title: "How fast?",
  options: [
    { value: "slow", label: "Slowly" },
    { value: "fast", label: "At once" },
  ],
  decide: ownDecision,
} as const satisfies Omit<AskedInput, "key">;
export const formInput = {
  kind: "form",
  title: "Who?",
  schema: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name"] },
  decide: ownDecision,
} as const satisfies Omit<AskedInput, "key">;

/** An approval that the named deciders give. */
export const approvalBy = (...people: string[]): Omit<AskedInput, "key"> => ({
  kind: "approve",
  title: "Pay 10 euros?",
  action: { agent: "bank", tool: "pay", arguments: { euros: 10 } },
  decide: { ...ownDecision, people },
});
