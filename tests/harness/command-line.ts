/** Returns a whole number of the command line. Throws a `TypeError` that names the option for other text. */
export function wholeNumber(option: string, value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new TypeError(`Expected a whole number for ${option}, got ${JSON.stringify(value)}.`);
}

/** Returns a name of the command line. Throws a `TypeError` that names the option and its choices for others. */
export function oneOf<Name extends string>(option: string, names: readonly Name[], value: string): Name {
  const name = names.find((one) => one === value);
  if (name !== undefined) return name;
  throw new TypeError(`Expected one of ${names.join(", ")} for ${option}, got ${JSON.stringify(value)}.`);
}

export const say = (text: string): void => void process.stdout.write(text);

/** Runs a program: `main` returns whether all is well, and nothing for `--help`, which prints the usage. */
export async function runMain(name: string, usage: string, main: () => Promise<boolean | undefined>): Promise<void> {
  // Leaving on a signal runs the exit handlers, which end every process.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  try {
    const isGood = await main();
    if (isGood === undefined) say(usage);
    process.exitCode = isGood === false ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}
