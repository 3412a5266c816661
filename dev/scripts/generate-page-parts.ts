/**
 * Writes parts of pages: into docs/troubleshooting.md the sentences that people read in Slack, with cause and remedy; into
 * docs/operations.md the members and rules of the policy; into docs/workflows.md the types of steps. Part of `pnpm generate`.
 */
import { readFileSync } from "node:fs";
import { ruleNames } from "../../apps/verification/src/policy/rules.ts";
import { policyMembers } from "../../apps/verification/src/policy/access-policy.ts";
import { denialSentence, denialSymptom, denyReasons, DeniedError } from "../../apps/verification/src/policy/denials.ts";
import { errorSentence } from "../../apps/verification/src/answering/sentences/error-sentences.ts";
import { errorTable, ZoneError, type ErrorKind } from "../../packages/contracts/src/index.ts";
import { LinkError, linkErrorKinds } from "../../packages/jsonrpc/src/error-json.ts";
import { markdownTable, writeGeneratedParts } from "./generated-parts.ts";
import { failures } from "./troubleshooting/slack-symptoms.ts";

const detail = { agent: "my-agent", retry_after_ms: 30_000 };
const denied = { retryAfterMs: 30_000, limit: 20 };

/** What a person reads, without the reference; undefined when nothing is posted. */
function sentenceOf(error: Error): string | undefined {
  const [sentence = ""] = errorSentence(error, "").split("\n_Reference");
  return sentence === "" ? undefined : sentence.replaceAll("\n", " ");
}

const row = (error: Error, [cause, todo]: readonly [string, string]): string[] => [
  `“${(sentenceOf(error) ?? "").replaceAll("|", "\\|")}”`,
  cause,
  todo,
];

/** Several kinds can have the same row. */
const table = (rows: readonly string[][]): string => {
  const distinct = new Map(rows.map((cells) => [cells.join("|"), cells]));
  return markdownTable(["You read", "Cause", "What to do"], [...distinct.values()]);
};

const parts = {
  failures: table([
    ...linkErrorKinds.map((kind) => row(new LinkError(kind, ""), failures[kind])),
    ...(Object.keys(errorTable) as ErrorKind[]).map((kind) => row(new ZoneError(kind, detail), failures[kind])),
  ]),
  denials: table(
    denyReasons.flatMap((reason) => {
      const symptom = denialSymptom(reason);
      const error = new DeniedError({ reason, ...denied, ...(reason === "file_too_large" && { limit: 26_214_400 }) });
      const hasSentence = denialSentence({ reason, ...denied }, "") !== undefined;
      if (hasSentence !== (symptom !== undefined))
        throw new Error(`"${reason}" needs a sentence and a symptom, or neither.`);
      return symptom === undefined ? [] : [row(error, symptom)];
    }),
  ),
};

await writeGeneratedParts("troubleshooting.md", { script: "dev/scripts/generate-page-parts.ts", parts });

const policy = [
  markdownTable(
    ["Member", "Value", "Default", "What it sets"],
    policyMembers.map(([name, ...cells]) => [`\`${name}\``, ...cells]),
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

await writeGeneratedParts("workflows.md", { script: "dev/scripts/generate-page-parts.ts", parts: { steps } });
