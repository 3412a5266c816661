import { RpcError } from "./rpc-error.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the error for an invalid member of the params. */
export const invalid = (field: string, expected: string): RpcError =>
  new RpcError("INVALID_PARAMS", `Invalid params: ${field} must be ${expected}`, { field });

/** A member that is absent, or null as ProtoJSON allows, is undefined. */
export const memberOf = (value: JsonObject, name: string): unknown =>
  Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;

export function objectAt(value: unknown, field: string): JsonObject {
  if (!isObject(value)) throw invalid(field, "an object");
  return value;
}

export function optionalObject(value: unknown, field: string): JsonObject | undefined {
  return value === undefined ? undefined : objectAt(value, field);
}

export function stringAt(value: unknown, field: string): string {
  if (typeof value !== "string" || value === "") throw invalid(field, "a string that is not empty");
  return value;
}

/** Returns undefined for an empty string: ProtoJSON leaves it out or not. */
export function optionalString(value: unknown, field: string): string | undefined {
  if (value === undefined || value === "") return undefined;
  return stringAt(value, field);
}

export function optionalStrings(value: unknown, field: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string"))
    throw invalid(field, "a list of strings");
  return value as readonly string[];
}

export function optionalBoolean(value: unknown, field: string): boolean | undefined {
  if (value !== undefined && typeof value !== "boolean") throw invalid(field, "true or false");
  return value;
}

/** Returns an integer of a range; undefined when absent. */
export function optionalInteger(
  value: unknown,
  field: string,
  [least, most]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw invalid(field, `an integer of ${least} to ${most}`);
  return value;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns an object without the members that are undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}

/** Whether arrays and objects are nested deeper than a number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
