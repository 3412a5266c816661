/**
 * Writes parts of pages: into docs/troubleshooting.md the sentences of denied messages, with cause and remedy; into
 * docs/operations.md the members and rules of the policy; into docs/reference/workflow-steps.md the types of steps. Part of `pnpm generate`.
 */
import { readFileSync } from "node:fs";
import { ruleNames } from "../../apps/verification/src/policy/rules.ts";
import { isPolicySection } from "../../packages/contracts/src/index.ts";
import { denialSentence, denialSymptom, denyReasons } from "../../apps/verification/src/policy/denials.ts";
import { markdownTable, writeGeneratedParts } from "./generated-parts.ts";

const denied = { retryAfterMs: 30_000, limit: 20 };

const denials = denyReasons.flatMap((reason) => {
  const symptom = denialSymptom(reason);
  const limit = reason === "file_too_large" ? 26_214_400 : denied.limit;
  const sentence = denialSentence({ reason, ...denied, limit }, "")?.split("\n_Reference")[0];
  if ((sentence === undefined) !== (symptom === undefined))
    throw new Error(`"${reason}" needs a sentence and a symptom, or neither.`);
  return sentence === undefined || symptom === undefined ? [] : [[`“${sentence}”`, ...symptom]];
});
const parts = { denials: markdownTable(["You read", "Cause", "What to do"], denials) };

await writeGeneratedParts("troubleshooting.md", { script: "dev/scripts/generate-page-parts.ts", parts });

const policy = [
  markdownTable(
    ["Member", "Default", "What it sets"],
    Object.entries(isPolicySection.schema.properties ?? {}).map(([name, { default: usual, description = "" }]) => [
      `\`${name}\``,
      `\`${JSON.stringify(usual)}\``,
      description,
    ]),
  ),
  `A message must pass these rules, in this order: ${ruleNames.map((name) => `\`${name}\``).join(", ")}.`,
].join("\n\n");

await writeGeneratedParts("operations.md", { script: "dev/scripts/generate-page-parts.ts", parts: { policy } });

interface StepVariant {
  readonly description: string;
  readonly properties: { readonly type: { readonly const: string } };
}

const stepSchema = readFileSync(new URL("../../schemas/workflow/step.schema.json", import.meta.url), "utf8");
const { oneOf: variants } = JSON.parse(stepSchema) as { readonly oneOf: readonly StepVariant[] };
const steps = markdownTable(
  ["Type", "What it does"],
  variants.map(({ description, properties }) => [
    `\`${properties.type.const}\``,
    description.split(/(?<=\.) /)[0] ?? "",
  ]),
);

await writeGeneratedParts("reference/workflow-steps.md", {
  script: "dev/scripts/generate-page-parts.ts",
  parts: { steps },
});
