/**
 * The part of JSON Schema 2020-12 that the contract uses, as functions put together from a schema. Nothing is generated or
 * evaluated, and no list makes more than `enoughFailures`: a hostile body can have hundreds of thousands of wrong items.
 */
import {
  type ValueCheck,
  codePoints,
  compared,
  countOf,
  eachItem,
  eachName,
  exactlyOne,
  fewest,
  filledBy,
  hasMembers,
  knownMembers,
  lengthOf,
  most,
  namedBranch,
  otherMembers,
  type Parts,
  referred,
  type Refs,
  rule,
  type Schema,
  type ValidationFailure,
} from "./keywords.ts";

/** Returns whether a value has the type. After `false`, `errors` has the reasons. Not re-entrant: read `errors` at once. */
export type Validator<T> = ((value: unknown) => value is T) & { errors?: ValidationFailure[] | null };

/** Where a schema is: its file, perhaps a definition in it, and the validators of the schemas to which it refers. */
interface Source {
  readonly file: object;
  readonly definition?: string;
  readonly refs?: () => Refs;
}

/** A validator of the contract, with the schema that decides and its place below `schemas/`. */
export type SchemaValidator<T> = Validator<T> & {
  readonly schema: Schema;
  readonly ref: string;
  /** Returns a valid value with the defaults of the schema in place of absent members. */
  readonly filled: (value: unknown) => T;
};

/** Returns the validator of a schema. The checks are put together when it is first called. */
export function validator<T>({ file, definition, refs = () => ({}) }: Source): SchemaValidator<T> {
  const { $id = "", ...whole } = file as Schema & { $id?: string };
  const schema = definition === undefined ? (file as Schema) : (whole.$defs?.[definition] ?? {});
  const path = $id.slice($id.indexOf("/schemas/") + "/schemas/".length);
  const ref = definition === undefined ? path : `${path}#/$defs/${definition}`;
  let check: ValueCheck | undefined;
  const validate = (value: unknown): value is T => {
    check ??= checkOf(schema, refs());
    const failures: ValidationFailure[] = [];
    check(value, failures);
    made.errors = failures.length === 0 ? null : failures;
    return failures.length === 0;
  };
  const made: SchemaValidator<T> = Object.assign(validate, {
    schema,
    ref,
    filled: (value: unknown) => filledBy(schema, refs(), value) as T,
  });
  return made;
}

/** What one keyword checks, by the type that it speaks of; `any` stands for all. A schema's rules run in this order. */
const rules: Readonly<
  Record<string, Readonly<Record<string, (schema: Schema, parts: Parts) => ValueCheck | undefined>>>
> = {
  number: {
    maximum: ({ maximum = 0 }) => compared("maximum", "<=", maximum, (value) => value <= maximum),
    minimum: ({ minimum = 0 }) => compared("minimum", ">=", minimum, (value) => value >= minimum),
    exclusiveMinimum: ({ exclusiveMinimum: low = 0 }) => compared("exclusiveMinimum", ">", low, (value) => value > low),
  },
  string: {
    maxLength: ({ maxLength = 0 }) => most("maxLength", maxLength, codePoints, "characters"),
    minLength: ({ minLength = 0 }) => fewest("minLength", minLength, codePoints, "characters"),
    pattern: ({ pattern = "", patternErrorMessage: words = `must match pattern "${pattern}"` }) => {
      const expression = new RegExp(pattern, "u");
      return rule("pattern", { pattern }, (text: string) => expression.test(text), words);
    },
  },
  any: {
    $ref: ({ $ref = "" }, parts) => referred(parts, $ref),
    const: (schema) =>
      rule("const", { allowedValue: schema.const }, (value) => value === schema.const, "must be equal to constant"),
    enum: ({ enum: allowedValues = [] }) => {
      const allowed = new Set(allowedValues);
      return rule(
        "enum",
        { allowedValues },
        (value) => allowed.has(value),
        "must be equal to one of the allowed values",
      );
    },
    oneOf: ({ oneOf = [], discriminator }, parts) => (discriminator ? undefined : exactlyOne(oneOf, parts)),
  },
  array: {
    maxItems: ({ maxItems = 0 }) => most("maxItems", maxItems, lengthOf, "items"),
    minItems: ({ minItems = 0 }) => fewest("minItems", minItems, lengthOf, "items"),
    items: ({ items = {} }, parts) => eachItem(parts.checkOf(items)),
  },
  object: {
    maxProperties: ({ maxProperties = 0 }) => most("maxProperties", maxProperties, countOf, "properties"),
    minProperties: ({ minProperties = 0 }) => fewest("minProperties", minProperties, countOf, "properties"),
    required: ({ required = [] }) => hasMembers(required),
    propertyNames: ({ propertyNames = {} }, parts) => eachName(parts.checkOf(propertyNames)),
    additionalProperties: (schema, parts) => otherMembers(schema, parts),
    properties: ({ properties = {} }, parts) => knownMembers(properties, parts),
    discriminator: (schema, parts) => namedBranch(schema, parts),
  },
};

/** Says something to people, or repeats for other languages what another keyword says: `not` beside a pattern. */
const silent =
  "$schema $id title description format not default patternErrorMessage x-secret x-content x-meanings".split(" ");

/** The keywords that a schema of the contract can have. */
export const keywords: ReadonlySet<string> = new Set([
  ...Object.values(rules).flatMap((ofType) => Object.keys(ofType)),
  ...silent,
  "type",
  "$defs",
]);

/** The types of JSON, and what belongs to each. */
export const isOf: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Returns what checks a value against a schema. */
function checkOf(schema: Schema, refs: Refs): ValueCheck {
  const parts: Parts = { refs, checkOf: (inner) => checkOf(inner, refs) };
  const ofTypes = Object.entries(rules).flatMap(([type, ofType]) => {
    const checks = Object.entries(ofType).flatMap(([keyword, create]) =>
      keyword in schema ? (create(schema, parts) ?? []) : [],
    );
    return checks.length === 0 ? [] : [{ type, check: inTurn(checks) }];
  });
  // Some languages need the type of a constant; here the constant decides.
  const type = "const" in schema ? undefined : schema.type;
  if (type === undefined) return inTurn(ofTypes.map(({ type: of, check }) => (of === "any" ? check : when(of, check))));
  // A wrong type is reported in the place of the rules of that type, and first when there are none.
  const place = ofTypes.findIndex(({ type: of }) => of === type);
  const wrong = rule("type", { type }, hasType(type), `must be ${[type].flat().join(",")}`);
  const checks = ofTypes.map(({ type: of, check }, index) =>
    of === "any" ? check : when(of, check, index === place ? wrong : undefined),
  );
  return inTurn(place === -1 ? [wrong, ...checks] : checks);
}

function hasType(type: string | readonly string[]): (value: unknown) => boolean {
  const [first, ...others] = [type].flat().map((one) => isOf[one] ?? (() => false));
  const isFirst = first ?? (() => true);
  return others.length === 0 ? isFirst : (value) => isFirst(value) || others.some((is) => is(value));
}

function when(type: string, check: ValueCheck, otherwise?: ValueCheck): ValueCheck {
  const is = isOf[type] ?? (() => true);
  return (value, failures) => (is(value) ? check(value, failures) : otherwise?.(value, failures));
}

function inTurn(checks: readonly ValueCheck[]): ValueCheck {
  const [first, second] = checks;
  if (first === undefined) return () => undefined;
  if (second === undefined) return first;
  return (value, failures) => {
    for (const check of checks) check(value, failures);
  };
}
