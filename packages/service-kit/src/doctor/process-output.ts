import type { Environment } from "../config-definition.ts";
import type { DoctorOutput } from "./run-doctor.ts";

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Returns the output streams of a process. Uses colours on a terminal, unless NO_COLOR is set. https://no-color.org */
export function processOutput(
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream },
  env: Environment,
): DoctorOutput {
  const isTerminal = stdout.isTTY === true;
  return {
    write: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    isTerminal,
    colours: isTerminal && !env["NO_COLOR"],
  };
}
