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

const checkOf = (schema: object): InputCheck =>
  checks.getOrInsertComputed(JSON.stringify(schema), () => {
    const [oldest] = checks.keys();
    if (checks.size >= mostChecks && oldest !== undefined) checks.delete(oldest);
    const { check, problems } = readInputSchema(schema);
    return check ?? (() => problems.map(ofSchema));
  });

const ofSchema = ({ pointer, message }: ParamProblem): ParamProblem => ({
  pointer: "",
  message: `can't be checked: the tool's schema ${pointer} ${message}`,
});
