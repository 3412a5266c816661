import { measurePath } from "./measure.ts";
import { readPathOptions, usage } from "./options.ts";
import { renderPath } from "./report.ts";
import { errorText } from "@crosszone/service-kit/text";

async function main(): Promise<void> {
  const options = readPathOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const figures = await measurePath(options, (text) => process.stderr.write(text));
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : renderPath(figures));
}

// Leaving on a signal runs the exit handlers, which end every process.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().catch((error: unknown) => {
  process.stderr.write(`\nmeasure:path: ${errorText(error)}\n`);
  process.exit(1);
});
