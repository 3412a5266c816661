/** One failure: where in the value, and which keyword of the schema, with what it says. */
export interface ValidationFailure {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Adds the failures of a value; their paths begin at the value. */
export type Check = (value: unknown, failures: ValidationFailure[]) => void;

/** The validators of other schemas, by `$ref`. */
export type Refs = Readonly<Record<string, { (value: unknown): boolean; errors?: ValidationFailure[] | null }>>;

export type Members = Readonly<Record<string, unknown>>;

/** A JSON Schema 2020-12, with the keywords that the contract uses. */
export interface Schema {
  title?: string;
  description?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  /** The member whose constant says which branch of `oneOf` is meant: only that branch is read. */
  discriminator?: { propertyName: string };
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  properties?: Record<string, Schema>;
  /** Never logged. */
  "x-secret"?: boolean;
  /** The API leaves it out without the scope `content:read`. */
  "x-content"?: boolean;
  /** What each value of `enum` means. */
  "x-meanings"?: Record<string, string>;
}

/** What the rule of a keyword is made from besides its own schema. */
export interface Parts {
  /** Returns what checks a value against an inner schema. */
  readonly checkOf: (schema: Schema) => Check;
  readonly refs: Refs;
}
