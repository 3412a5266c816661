/** The functions that the generated validators call. `this` is the object, as in Ajv. */
export function hasOwnProperty(this: object, name: string): boolean {
  return Object.hasOwn(this, name);
}

/** Returns the length of a string in code points, as in JSON Schema. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (!isPair) continue;
    length--;
    i++;
  }
  return length;
}

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
