/** Writes the tables of docs/reference/commands.md, and the pages of groups of commands. Part of `pnpm generate`. */
import { commandGroups } from "../../tools/cli/src/command-groups.ts";
import { commandReference } from "./contract/command-reference.ts";
import { writeGeneratedPage, writeGeneratedParts } from "./generated-parts.ts";

const script = "dev/scripts/generate-command-reference.ts";
const { pages, ...parts } = commandReference(commandGroups);
await writeGeneratedParts("reference/commands.md", { script, parts });
for (const [name, text] of Object.entries(pages)) await writeGeneratedPage(`reference/${name}.md`, { script, text });
