import { type ParamProblem, ZoneError } from "@crosszone/contracts";
import { type InputCheck, readInputSchema } from "@crosszone/workflow";

/** Compiled schemas, by their JSON. A new version of a workflow has another schema. */
const checks = new Map<string, InputCheck>();
const mostChecks = 500;

/** Throws `invalid_params` when the arguments of a tool don't match its schema. */
export function checkArguments(schema: object, given: unknown): void {
  const problems = checkOf(schema)(given);
  if (problems.length > 0) throw new ZoneError("invalid_params", { problems });
}

function checkOf(schema: object): InputCheck {
  const text = JSON.stringify(schema);
  let check = checks.get(text);
  if (check === undefined) {
    const read = readInputSchema(schema);
    check = read.check ?? (() => read.problems.map(ofSchema));
    const [oldest] = checks.keys();
    if (checks.size >= mostChecks && oldest !== undefined) checks.delete(oldest);
    checks.set(text, check);
  }
  return check;
}

const ofSchema = ({ pointer, message }: ParamProblem): ParamProblem => ({
  pointer: "",
  message: `can't be checked: the tool's schema ${pointer} ${message}`,
});
