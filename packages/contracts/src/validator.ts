/**
 * A generated validator: returns whether a value has the type. After `false`, `errors` has the reasons. Not re-entrant: read `errors` at
 * once.
 */
export type Validator<T> = ((value: unknown) => value is T) & { errors?: ValidationFailure[] | null };

/** One failure as Ajv reports it. */
export interface ValidationFailure {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}
