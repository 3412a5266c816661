import { defineCommand, exitCodes, type Command } from "../arguments/command.ts";
import { checkDefinition, placed } from "../definition/check-definition.ts";
import { harmless } from "../output/harmless.ts";

export const validateCommand: Command = defineCommand({
  name: "validate",
  summary: "Says all that is wrong with definitions of workflows, by file and line, without a zone.",
  operands: "<file…>",
  count: [1, Infinity],
  options: { server: { type: "boolean", help: "ask the zone too: only it knows which agents there are" } },
  examples: [
    ["crosszone validate workflows/*.yaml", "before they are committed"],
    ["crosszone validate publish-text.json --server", "before it is created"],
  ],
  run: async ({ values, operands }, { api: open, stdout, stderr }) => {
    const api = values.server === true ? open() : undefined;
    let isValid = true;
    for (const path of operands) {
      const checked = await checkDefinition(path);
      let { problems } = checked;
      // The zone says all that can be told without it, and more.
      if (checked.file && api)
        problems = placed(checked.file, (await api.validate(checked.file.value)).problems) || problems;
      if (problems === "") stdout.write(`${harmless(path)}: valid\n`);
      else stderr.write(`${harmless(problems)}\n`);
      isValid &&= problems === "";
    }
    return isValid ? exitCodes.done : exitCodes.failed;
  },
});
