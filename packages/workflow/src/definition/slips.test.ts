import { expect, test } from "vitest";
import { agent, plan } from "../testing/workflow-of.ts";
import { readWorkflow, validateWorkflow } from "./read-workflow.ts";

test("a slip in the type of a step hides none of its other problems, so that one check finds them all", () => {
  const bad = plan(
    [
      agent("check", { type: "agnet", agent_name: "fingerprnt", next_step: "seall" }),
      { id: "seal", agent: "fingerprint", input_mapping: "${chek.output.text}", type: "agent" },
    ],
    { version: 1 },
  );
  expect(validateWorkflow(bad, { agents: ["fingerprint"] }).map((one) => `${one.pointer} ${one.message}`)).toEqual([
    '/version must be string; use quotes, such as "1.0"',
    "/steps/check/type must be one of agent, parallel, conditional, loop, fork_join; did you mean agent?",
    "/steps/seal/agent_name is missing",
    "/steps/seal/agent is not a known member",
    "/steps/check/next_step names an unknown step: seall; did you mean seal?",
    "/steps/check/agent_name is not a registered agent; did you mean fingerprint?",
    "/steps/seal/input_mapping ${chek.output.text} names an unknown step; did you mean check?",
  ]);
});

test("a reference in double braces, which agents would receive as plain text, and a misspelled member of an answer are warnings", () => {
  const source = plan(
    [agent("check", { input_mapping: { a: "{{workflow.input.text}}", b: ["{ {x}} ${workflow.input}"] } })],
    { output_mapping: { text: "${check.output.txt}", other: "${check.output.words}", fine: "${check.output.text}" } },
  );
  expect(readWorkflow(source)).toMatchObject({
    problems: [],
    warnings: [
      {
        pointer: "/steps/check/input_mapping/a",
        message: "contains {{workflow.input.text}}, which is plain text; a reference is ${workflow.input.text}",
      },
      {
        pointer: "/output_mapping/text",
        message: "`check.output` has no field `txt` over A2A; did you mean `text`?",
      },
    ],
  });
});

test("a member that the output of a parallel step, a loop or a fork can never have is a problem", () => {
  const each = { id: "each", type: "loop", loop_config: { collection: "${workflow.input}", loop_body: ["in"] } };
  const both = { id: "both", type: "parallel", parallel_steps: ["left", "right"], next_step: "fork" };
  const branches = { quick: { steps: ["fast"] } };
  const fork = { id: "fork", type: "fork_join", fork_join_config: { branches, join_policy: "all" }, next_step: "each" };
  const steps = [both, agent("left"), agent("right"), fork, agent("fast"), each, agent("in")];
  const output_mapping = [
    "${both.output.lft.text}",
    "${both.output.left.text} ${fork.output.quick.text} ${each.output[0].text} ${steps.each.output}",
    "${fork.output.fast}",
    "${steps.each.output.text}",
    "${each.output[1].txt}",
  ];
  const { problems, warnings } = readWorkflow(plan(steps, { output_mapping }));
  expect(problems).toEqual([
    { pointer: "/output_mapping/0", message: "`both.output` has no field `lft`; it has: left, right" },
    { pointer: "/output_mapping/2", message: "`fork.output` has no field `fast`; it has: quick" },
    { pointer: "/output_mapping/3", message: "`steps.each.output` has no field `text`; it is a list, such as [0]" },
  ]);
  expect(warnings.map(({ pointer }) => pointer)).toEqual(["/output_mapping/4"]);
});
