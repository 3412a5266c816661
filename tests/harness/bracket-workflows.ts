import type { AgentSettings, WorkflowDefinition } from "@crosszone/contracts";
import type { TestAgent } from "@crosszone/testkit";

/** Returns `(text)` for the newer protocol and `[text]` for the older one. */
export const inBrackets = (text: string, method: string): string => (method === "" ? `[${text}]` : `(${text})`);

/** Registers one server as an agent of each protocol: `newer` and `older`. */
export const bracketAgents = ({ url }: TestAgent): readonly AgentSettings[] => [
  { name: "newer", url, max_concurrency: 100, timeout_ms: 240_000 },
  { name: "older", url, max_concurrency: 100, timeout_ms: 240_000, protocol: "simple-a2a" },
];

type Steps = WorkflowDefinition["steps"];

const ask = (id: string, agent_name: "newer" | "older", [text, next_step]: [text: string, next?: string]): Steps => ({
  [id]: { id, type: "agent", agent_name, input_mapping: { text }, next_step },
});

const workflow = (workflow_id: string, steps: Steps): WorkflowDefinition => ({
  workflow_id,
  name: workflow_id,
  version: "1",
  start_step: "a",
  steps,
  output_mapping: { text: "${e.output.text}" },
});

const inputText = "${workflow.input.text}";

/**
 * Workflows with five agent steps each, which put their input in brackets: in sequence, three in parallel, and one repeated three times in a
 * loop. `output` returns the output of a run; `paths` are those of the steps that agents perform.
 */
export const bracketWorkflows = [
  {
    definition: workflow("chain", {
      ...ask("a", "newer", [inputText, "b"]),
      ...ask("b", "older", ["${a.output.text}", "c"]),
      ...ask("c", "newer", ["${b.output.text}", "d"]),
      ...ask("d", "older", ["${c.output.text}", "e"]),
      ...ask("e", "newer", ["${d.output.text}"]),
    }),
    output: (text: string) => `([([(${text})])])`,
    paths: ["a", "b", "c", "d", "e"],
  },
  {
    definition: workflow("fan", {
      ...ask("a", "newer", [inputText, "all"]),
      all: { id: "all", type: "parallel", parallel_steps: ["b", "c", "d"], next_step: "e" },
      ...ask("b", "older", ["${a.output.text}"]),
      ...ask("c", "newer", ["${a.output.text}"]),
      ...ask("d", "older", ["${a.output.text}"]),
      ...ask("e", "newer", ["${b.output.text} ${c.output.text} ${d.output.text}"]),
    }),
    output: (text: string) => `([(${text})] ((${text})) [(${text})])`,
    paths: ["a", "b", "c", "d", "e"],
  },
  {
    definition: workflow("round", {
      ...ask("a", "newer", [inputText, "each"]),
      each: {
        id: "each",
        type: "loop",
        loop_config: {
          collection: [1, 2, 3],
          iterator_variable: "number",
          loop_body: ["b"],
          execution_mode: "parallel",
        },
        next_step: "e",
      },
      ...ask("b", "older", ["${number} ${a.output.text}"]),
      ...ask("e", "newer", ["${each.output[0].text} ${each.output[1].text} ${each.output[2].text}"]),
    }),
    output: (text: string) => `([1 (${text})] [2 (${text})] [3 (${text})])`,
    paths: ["a", "each[0].b", "each[1].b", "each[2].b", "e"],
  },
];

/** The members of a request, in either protocol, that the answer depends on. */
export interface AgentBody {
  readonly id?: string;
  readonly task_id?: string;
  readonly input?: { readonly text?: string };
  readonly params?: { readonly message?: { readonly parts: readonly { readonly text?: string }[] } };
}

/** Returns the text of a request. */
export const bracketedText = ({ input, params }: AgentBody): string =>
  input?.text ?? params?.message?.parts[0]?.text ?? "";

/** Returns the answer of the agents `newer` and `older`: the text in brackets of their protocol. */
export function bracketAnswer(body: AgentBody): object {
  const { id, task_id } = body;
  if (task_id !== undefined)
    return { task_id, status: "success", output: { text: inBrackets(bracketedText(body), "") }, error: null };
  const text = inBrackets(bracketedText(body), "message/send");
  const artifacts = [{ artifactId: "1", parts: [{ kind: "text", text }] }];
  const result = { kind: "task", id: "remote", contextId: "context", status: { state: "completed" }, artifacts };
  return { jsonrpc: "2.0", id, result };
}
