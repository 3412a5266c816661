import { defineCommand, exitCodes, type Command } from "../arguments/command.ts";
import { checkDefinition, placed } from "../definition/check-definition.ts";
import { harmless } from "../output/harmless.ts";

export const validateCommand: Command = defineCommand({
  name: "validate",
  summary: "Checks workflow definitions and reports all problems by file and line. Needs no zone.",
  operands: "<file…>",
  count: [1, Infinity],
  options: { server: { type: "boolean", help: "also ask the zone, which knows the registered agents" } },
  examples: [
    ["crosszone validate workflows/*.yaml", "check before committing"],
    ["crosszone validate publish-text.json --server", "check before creating"],
  ],
  run: async ({ values, operands }, { api: open, stdout, stderr }) => {
    const api = values.server === true ? open() : undefined;
    let isValid = true;
    for (const path of operands) {
      const checked = await checkDefinition(path);
      let { problems } = checked;
      // The zone reports the same problems and more.
      if (checked.file && api)
        problems = placed(checked.file, (await api.validate(checked.file.value)).problems) || problems;
      if (problems === "") stdout.write(`${harmless(path)}: valid\n`);
      else stderr.write(`${harmless(problems)}\n`);
      isValid &&= problems === "";
    }
    return isValid ? exitCodes.done : exitCodes.failed;
  },
});
