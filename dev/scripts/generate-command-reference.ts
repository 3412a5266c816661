/** Writes the sections of docs/reference/commands.md. Part of `pnpm generate`. */
import { commandGroups } from "../../tools/cli/src/command-groups.ts";
import { commandSections } from "./contract/command-reference.ts";
import { writeGeneratedParts } from "./generated-parts.ts";

await writeGeneratedParts("reference/commands.md", {
  script: "dev/scripts/generate-command-reference.ts",
  parts: { commands: commandSections(commandGroups) },
});
