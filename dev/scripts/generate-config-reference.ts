/** Writes docs/reference/configuration.md with a page for each zone, and the names for the CLI, from the zones' own environment schemas. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionConfig } from "../../apps/execution/src/zone/config/variables.ts";
import { verificationConfig } from "../../apps/verification/src/zone/config.ts";
import {
  type ConfigDefinition,
  type ConfigEntry,
  constantsOf,
  expectedText,
  variablesOf,
} from "../../packages/service-kit/src/config/definition.ts";
import { markdownTable, writeGeneratedPage } from "./generated-parts.ts";

/** What most people set, in the order in which they need it. */
const firstVariables = `
  OPENAI_BASE_URL ANTHROPIC_API_KEY MODEL SLACK_BOT_TOKEN SLACK_APP_TOKEN SLACK_SIGNING_SECRET EXECUTION_TOKEN
  EXECUTION_URL EXECUTION_HOST VERIFICATION_URL DATABASE_URL DATA_KEYS EXECUTION_FILE ADMIN_TOKENS
`
  .trim()
  .split(/\s+/);

const zones = [
  { zone: "verification", definition: verificationConfig },
  { zone: "execution", definition: executionConfig },
];

const script = "dev/scripts/generate-config-reference.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

type Named = readonly [name: string, entry: ConfigEntry];

function row([name, { schema, description, secret, ...more }]: Named): readonly string[] {
  const isRequired = more.default === undefined && !schema.safeParse(undefined).success;
  const expected = expectedText(schema);
  const value = more.default ? `\`${more.default}\`` : isRequired ? "**required**" : "";
  const file = secret ? ` Secret: can come from the file that \`${name}_FILE\` names.` : "";
  const example = more.example === undefined ? "" : ` Example: \`${more.example}\`.`;
  const does = `${description}${expected ? ` Expected: ${expected}.` : ""}${example}${file}`;
  return [`\`${name}\``, value, cell(does)];
}

const table = (rows: Named[]): string => markdownTable(["Variable", "Default", "What it does"], rows.map(row));

/** A variable of both zones is shown once, on the page of both. */
const isShared = ([name, { description }]: Named): boolean =>
  zones.every(({ definition }) =>
    variablesOf(definition).some(([other, entry]) => other === name && entry.description === description),
  );

function tablesOf(rows: readonly Named[], level: string): string[] {
  const groups = Map.groupBy(rows, ([, { group = "" }]) => group);
  return [...groups].flatMap(([group, of]) => [`${level} ${group}`, table(of)]);
}

function zonePage({ zone, definition }: (typeof zones)[number]): string {
  const own = variablesOf(definition).filter((one) => !isShared(one));
  const says = `The variables that only the ${zone} zone has. [Configuration](configuration.md) has those of both zones, and says how zones read them.`;
  return [`# Configuration: ${zone}`, says, ...tablesOf(own, "##")].join("\n\n");
}

function firstTable(): string {
  const rows = firstVariables.map((name) => {
    const described = zones.flatMap(({ definition }) => variablesOf(definition)).find(([each]) => each === name);
    if (described === undefined) throw new Error(`${name} is not a variable.`);
    return [`\`${name}\``, zoneOf(name), cell(described[1].description)];
  });
  return markdownTable(["Variable", "Zone", "What it does"], rows);
}

const zoneOf = (name: string): string => {
  const having = zones.filter(({ definition }) => Object.hasOwn(definition, name));
  return having.length === 2 ? "both" : (having[0]?.zone ?? "");
};

const all: ConfigDefinition = { ...verificationConfig, ...executionConfig };

function constantTable(): string {
  const rows = constantsOf(all).map(([name, { constant, unit, description }]) => {
    const value = `${constant.toLocaleString("en")} ${unit}`;
    return [`\`${name}\``, zoneOf(name), value, cell(description)];
  });
  return markdownTable(["Constant", "Zone", "Value", "What it bounds"], rows);
}

const page = `# Configuration

Each zone reads environment variables when it starts and reports all problems at once. An empty variable counts as unset.
A variable that has no effect because it is misspelled, removed or fixed is named in a \`config_warning\`.
\`.env.example\` shows three complete set-ups. \`./crosszone dev\` reads \`.env\`. [The doctor](../operations.md#doctor) tests a configuration.

Names follow \`<component>_<setting>\`. Limits start with \`MAX_\`. Time spans and sizes carry their unit in the
value: \`30s\`, \`10MB\`. Names that begin with \`EXECUTION_\` say how verification reaches execution; \`CALLER_\` says whom execution accepts.

## Start here

${firstTable()}

Each zone has variables of its own: [verification](configuration-verification.md), [execution](configuration-execution.md).

## Variables of both zones

${tablesOf(variablesOf(executionConfig).filter(isShared), "###").join("\n\n")}

## Constants

No variable sets these values.

${constantTable()}
`;

const pages = {
  configuration: page,
  ...Object.fromEntries(zones.map((each) => [`configuration-${each.zone}`, zonePage(each)])),
};
for (const [name, text] of Object.entries(pages)) await writeGeneratedPage(`reference/${name}.md`, { script, text });

/** Variables that others define: an author's agent reads them as well. */
const ofOthers = /^(ANTHROPIC|AWS|AZURE|GCE|IDENTITY|OPENAI|OTEL)_|^(LOG_LEVEL|MODEL|PORT)$/;
const own = variablesOf(all).flatMap(([name]) => (ofOthers.test(name) ? [] : [name]));
writeFileSync(
  resolve(import.meta.dirname, "../../tools/cli/src/generated/zone-variables.ts"),
  `// Written by dev/scripts/generate-config-reference.ts. Do not edit; run \`pnpm generate\`.

/** The variables of both zones that only Crosszone reads. */
export const zoneVariables: readonly string[] = ${JSON.stringify(own.toSorted(), undefined, 2)};
`,
);
