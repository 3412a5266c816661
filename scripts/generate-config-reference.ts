/** Writes `.env.example` and docs/reference/configuration.md from the zones' own environment schemas. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { format } from "prettier";
import { executionConfig } from "../apps/execution/src/config.ts";
import { verificationConfig } from "../apps/verification/src/config.ts";
import { describeConfig, renderEnvExample, type ConfigRow } from "../packages/service-kit/src/config-docs.ts";

const root = resolve(import.meta.dirname, "..");
const sections = [
  { title: "Verification zone", definition: verificationConfig },
  { title: "Execution zone", definition: executionConfig },
];

const cell = (text: string): string => text.replaceAll("|", "\\|");

function row({ name, description, expected, required, secret, ...more }: ConfigRow): string {
  const value = more.default === undefined ? (required ? "**required**" : "") : `\`${more.default}\``;
  const file = secret ? ` Secret: may be read from the file that \`${name}_FILE\` names.` : "";
  return `| \`${name}\` | ${value} | ${cell(`${description}${expected ? ` Expected: ${expected}.` : ""}${file}`)} |`;
}

const table = (rows: ConfigRow[]): string =>
  ["| Variable | Default | |", "| --- | --- | --- |", ...rows.map(row)].join("\n");

const tables = sections.map(({ title, definition }) => {
  const groups = Map.groupBy(describeConfig(definition), ({ group }) => group ?? "Other");
  return [`## ${title}`, ...[...groups].flatMap(([group, rows]) => [`### ${group}`, table(rows)])].join("\n\n");
});

const page = `# Configuration

<!-- Generated from each zone's src/config.ts by scripts/generate-config-reference.ts. Do not edit; run \`pnpm generate\`. -->

Each zone reads its variables from the environment when it starts, and says everything that is wrong with them at once.
An empty variable counts as unset. \`.env.example\` has them all; \`pnpm dev\` reads \`.env\`.

${tables.join("\n\n")}
`;

writeFileSync(resolve(root, ".env.example"), renderEnvExample(sections));
writeFileSync(
  resolve(root, "docs/reference/configuration.md"),
  await format(page, { parser: "markdown", printWidth: 120 }),
);
