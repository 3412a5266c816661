import type { subRunKind } from "@crosszone/agent-calls";
import { asAnswer } from "../mapping/scope.ts";
import { meantOr } from "./agent.ts";
import { type LeafKind, timedOut } from "./step-kind.ts";

/** The run of another workflow that a step asks for. `input`: any JSON. */
export interface SubRunAsk {
  readonly workflow: string;
  readonly version?: string;
  readonly input: unknown;
  readonly on_cancel?: "cancel" | "abandon";
}

/** Runs another workflow. */
export const subWorkflow: LeafKind<"workflow"> = {
  form: "leaf",
  pausesDeadline: true,
  job: "sub_run" satisfies typeof subRunKind,
  check: ({ workflow }, { workflows }) =>
    workflows === undefined || workflows.has(workflow)
      ? []
      : [[["workflow"], `is not a stored workflow; ${meantOr(workflow, workflows, "stored")}`, "warning"]],
  expressions: ({ input_mapping }) => [{ kind: "mapping", value: input_mapping, keys: ["input_mapping"] }],
  start: ({ workflow, version, input_mapping = {}, on_cancel, timeout_ms }, { at, resolve }) => {
    const input: SubRunAsk = { workflow, version, input: resolve(input_mapping) ?? {}, on_cancel };
    return { call: { input }, due_at: timeout_ms === undefined ? undefined : at + timeout_ms };
  },
  whenDue: ({ id, workflow }) =>
    timedOut(`The workflow "${workflow}" did not end within the timeout of the step "${id}".`),
  output: (_, { record }) => asAnswer(record.output ?? null),
};
