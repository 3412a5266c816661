import type { Check, Members, Parts, Schema, ValidationFailure } from "./check.ts";

/** The most failures that one list, or the members of one object, are reported with. */
export const enoughFailures = 20;

/** Checks a part of a value: the failures' paths get the part's name. */
function within(check: Check, [part, name]: readonly [unknown, string | number], failures: ValidationFailure[]): void {
  const before = failures.length;
  check(part, failures);
  if (failures.length === before) return;
  const step = `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  for (const failure of failures.slice(before)) failure.instancePath = step + failure.instancePath;
}

export function eachItem(check: Check): Check {
  return (value, failures) => {
    const items = value as readonly unknown[];
    const enough = failures.length + enoughFailures;
    for (let i = 0; i < items.length && failures.length < enough; i++) within(check, [items[i], i], failures);
  };
}

export function hasMembers(names: readonly string[]): Check {
  return (value, failures) => {
    for (const name of names)
      if ((value as Members)[name] === undefined)
        failures.push({
          instancePath: "",
          keyword: "required",
          params: { missingProperty: name },
          message: `must have required property '${name}'`,
        });
  };
}

export function eachName(check: Check): Check {
  return (value, failures) => {
    const enough = failures.length + enoughFailures;
    for (const name in value as Members) {
      const before = failures.length;
      check(name, failures);
      if (failures.length > before)
        failures.push({
          instancePath: "",
          keyword: "propertyNames",
          params: { propertyName: name },
          message: "property name must be valid",
        });
      if (failures.length >= enough) return;
    }
  };
}

export function otherMembers(
  { properties = {}, additionalProperties = true }: Schema,
  { checkOf }: Parts,
): Check | undefined {
  if (additionalProperties === true) return undefined;
  const check = additionalProperties === false ? undefined : checkOf(additionalProperties);
  const known = new Set(Object.keys(properties));
  return (value, failures) => {
    const enough = failures.length + enoughFailures;
    for (const name in value as Members) {
      if (known.has(name)) continue;
      if (check) within(check, [(value as Members)[name], name], failures);
      else
        failures.push({
          instancePath: "",
          keyword: "additionalProperties",
          params: { additionalProperty: name },
          message: "must NOT have additional properties",
        });
      if (failures.length >= enough) return;
    }
  };
}

export function knownMembers(properties: Readonly<Record<string, Schema>>, { checkOf }: Parts): Check {
  const members = Object.entries(properties).map(([name, schema]) => ({ name, check: checkOf(schema) }));
  return (value, failures) => {
    for (const { name, check } of members) {
      const member = (value as Members)[name];
      if (member !== undefined) within(check, [member, name], failures);
    }
  };
}
