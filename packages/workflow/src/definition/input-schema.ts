import { problemsOf, type ParamProblem, type Validator } from "@crosszone/contracts";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import { ownMember } from "@crosszone/service-kit/json";
import { ComputationTimeoutError, withinTime } from "../within-time.ts";

/** Returns the problems of an input, each with a JSON pointer; at most 20. */
type InputCheck = (input: unknown) => ParamProblem[];

/** A referenced schema is compiled once, not inlined at each reference. */
const options: Options = { strict: false, allErrors: true, validateFormats: false, logger: false, inlineRefs: false };

/** Largest schema, characters of JSON. */
const maxLength = 64_000;

/** Timeout for checking one input, milliseconds. A pattern or nested references could run forever. */
const checkMs = 500;

/** Time to compile a schema, milliseconds. It grows with the square of the number of combinations. */
const compileMs = 2_000;

/** The advice for a schema that takes too long. */
const advice = "use fewer and smaller combinations (oneOf, anyOf, allOf) and references";

let judge: Ajv2020 | undefined;

/** Creates a validator of schemas. Compiling the meta-schema here keeps that time out of the first schema's timeout. */
function readyJudge(): Ajv2020 {
  if (judge === undefined) {
    judge = new Ajv2020(options);
    void judge.validateSchema({});
  }
  return judge;
}

/**
 * Reads the schema of a workflow's input, JSON Schema 2020-12. `format` is only an annotation, as in the standard. Never throws: returns the
 * problems of the schema, each at a JSON pointer within it. A schema that takes longer than `withinMs` to compile is refused, and so is a
 * schema against which even `{}` cannot be checked in time.
 */
export function readInputSchema(
  schema: object,
  withinMs: number = compileMs,
): { check: InputCheck; problems?: undefined } | { check?: undefined; problems: ParamProblem[] } {
  try {
    const text = JSON.stringify(schema);
    if (text.length > maxLength)
      return { problems: [{ pointer: "", message: `is longer than ${maxLength} characters of JSON` }] };
    // Check the schema as it is stored: YAML has numbers that JSON does not.
    const stored = JSON.parse(text) as object;
    const ready = readyJudge();
    const { validate, problems } = withinTime(withinMs, () => compile(stored, ready));
    if (problems) return { problems };
    withinTime(checkMs, () => validate({}));
    return { check: (input) => inputProblems(validate, input) };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof ComputationTimeoutError)
      return { problems: [{ pointer: "", message: `${message} to check; ${advice}` }] };
    return { problems: [{ pointer: "", message: `cannot be read: ${message}` }] };
  }
}

function compile(
  schema: object,
  ready: Ajv2020,
): { validate: Validator<unknown>; problems?: undefined } | { validate?: undefined; problems: ParamProblem[] } {
  if (!ready.validateSchema(schema))
    return {
      // The problems of each branch are more useful than "no branch matches".
      problems: failuresOf((ready.errors ?? []).filter(({ keyword }) => keyword !== "anyOf")),
    };
  // One instance for each schema: Ajv keeps every schema, and confuses two with the same $id.
  const ajv = new Ajv2020({ ...options, meta: false, validateSchema: false });
  return { validate: ajv.compile({ ...schema, $async: false }) as Validator<unknown> };
}

/** Converts Ajv's errors to the contract's problems. */
function failuresOf(errors: NonNullable<Validator<unknown>["errors"]>): ParamProblem[] {
  return problemsOf(
    Object.assign((_value: unknown): _value is unknown => false, { errors }),
    undefined,
  );
}

/** A recursive schema is as deep as the input, which can exceed the stack. A pattern can exceed the timeout. */
function inputProblems(validate: Validator<unknown>, input: unknown): ParamProblem[] {
  try {
    return withinTime(checkMs, () => problemsOf(validate, input));
  } catch (error) {
    if (error instanceof ComputationTimeoutError)
      return [{ pointer: "", message: `cannot be checked: input_schema ${error.message}` }];
    return [{ pointer: "", message: `cannot be checked: ${(error as Error).message}` }];
  }
}

/**
 * Returns true if a schema excludes a member at this path: an object on the way lists all its members, and not this one. References and
 * combinations are not followed.
 */
export function rulesOut(schema: unknown, path: readonly (string | number)[]): boolean {
  let here = schema;
  for (const key of path) {
    const properties = ownMember(here, "properties");
    const next = ownMember(properties, String(key));
    if (next === undefined)
      return (
        properties !== undefined &&
        ownMember(here, "additionalProperties") === false &&
        ownMember(here, "patternProperties") === undefined
      );
    here = next;
  }
  return false;
}
