import type { Check, Refs, Schema, ValidationFailure } from "./check.ts";
import { checkOf } from "./rules.ts";

/** Returns whether a value has the type. After `false`, `errors` has the reasons. Not re-entrant: read `errors` at once. */
export type Validator<T> = ((value: unknown) => value is T) & { errors?: ValidationFailure[] | null };

/** Where a schema is: its file, perhaps a definition in it, and the validators of the schemas to which it refers. */
interface Source {
  readonly file: object;
  readonly definition?: string;
  readonly refs?: () => Refs;
}

/** A validator of the contract, with the schema that decides and its place below `schemas/`. */
export type SchemaValidator<T> = Validator<T> & { readonly schema: Schema; readonly ref: string };

/** Returns the validator of a schema. The checks are put together when it is first called. */
export function validator<T>({ file, definition, refs = () => ({}) }: Source): SchemaValidator<T> {
  const { $id = "", ...whole } = file as Schema & { $id?: string };
  const schema = definition === undefined ? (file as Schema) : (whole.$defs?.[definition] ?? {});
  const path = $id.slice($id.indexOf("/schemas/") + "/schemas/".length);
  const ref = definition === undefined ? path : `${path}#/$defs/${definition}`;
  let check: Check | undefined;
  const validate = (value: unknown): value is T => {
    check ??= checkOf(schema, refs());
    const failures: ValidationFailure[] = [];
    check(value, failures);
    made.errors = failures.length === 0 ? null : failures;
    return failures.length === 0;
  };
  const made: SchemaValidator<T> = Object.assign(validate, { schema, ref });
  return made;
}
