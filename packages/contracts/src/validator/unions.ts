import type { Check, Members, Parts, Schema } from "./check.ts";

/** Checks what another schema says. */
export function referred({ refs }: Parts, ref: string): Check {
  const validate = refs[ref];
  if (!validate) throw new Error(`no validator of ${ref}`);
  return (value, failures) => {
    if (!validate(value)) failures.push(...(validate.errors ?? []));
  };
}

export function exactlyOne(branches: readonly Schema[], { checkOf }: Parts): Check {
  const checks = branches.map((branch) => checkOf(branch));
  return (value, failures) => {
    const before = failures.length;
    const passing = checks.flatMap((check, index) => {
      const length = failures.length;
      check(value, failures);
      return failures.length === length ? [index] : [];
    });
    if (passing.length === 1) failures.length = before;
    else
      failures.push({
        instancePath: "",
        keyword: "oneOf",
        params: { passingSchemas: passing.length === 0 ? null : passing },
        message: "must match exactly one schema in oneOf",
      });
  };
}

/** Checks only the branch that the member of a union names. */
export function namedBranch({ discriminator, oneOf = [] }: Schema, { checkOf }: Parts): Check {
  const tag = discriminator?.propertyName ?? "";
  const branches = new Map(oneOf.map((branch) => [branch.properties?.[tag]?.const, checkOf(branch)]));
  return (value, failures) => {
    const tagValue = (value as Members)[tag];
    const check = typeof tagValue === "string" ? branches.get(tagValue) : undefined;
    if (check) return check(value, failures);
    const error = typeof tagValue === "string" ? "mapping" : "tag";
    const message = error === "tag" ? `tag "${tag}" must be string` : `value of tag "${tag}" must be in oneOf`;
    failures.push({ instancePath: "", keyword: "discriminator", params: { error, tag, tagValue }, message });
  };
}
