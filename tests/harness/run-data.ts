import { runProgram, type ProgramEnd } from "./run-program.ts";

/** Runs a data command of the execution zone as an operator does, with these variables. */
export function runData(env: Readonly<Record<string, string>>, ...words: string[]): Promise<ProgramEnd> {
  return runProgram("apps/execution/src/data.ts", env, ...words);
}
