import {
  type Contract,
  type NamedType,
  resolveRef,
  type Schema,
  typeAt,
} from "../../../packages/contracts/src/testing/contract.ts";
import type { PlacedOperation } from "./placed-operations.ts";

/**
 * Generates what the command line knows of the operations: their summaries, the parameters and members that can become options and operands, and
 * the validators of their answers. One that answers anything but nothing, or JSON of a named type, has no validator.
 */
export function generateCommands(all: readonly PlacedOperation[], { types }: Pick<Contract, "types">): string {
  const answered = all.flatMap(({ operation: { operationId, responses }, source }) => {
    const [body] = Object.values(responses);
    const ref = refOf(body);
    if (ref === undefined) return body?.content === undefined ? [[operationId, "isNothing"] as const] : [];
    return [[operationId, `is${typeAt(types, resolveRef(ref, source.path)).title}`] as const];
  });
  const validators = [...new Set(answered.map(([, name]) => name))].filter((name) => name !== "isNothing");
  const facts = all.map((one) => [one.operation.operationId, factsOf(one, types)] as const);
  return `import { ${validators.toSorted().join(", ")}, type OperationId, type Operations, type Validator } from "@crosszone/contracts";

/** What can become an option or an operand: a parameter of an operation, or a member of its body. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly required?: boolean;
  /** What it is, for people. */
  readonly says?: string;
  readonly type?: string;
  /** Its only values, or those of its items. */
  readonly names?: readonly string[];
  /** What it is when it is left out. */
  readonly initial?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

const isNothing: Validator<undefined> = (value): value is undefined => value === undefined;

/** The operations that answer with JSON of a type, or with nothing. */
export type Answered = ${answered.map(([id]) => JSON.stringify(id)).join(" | ")};

/** The validators of their answers. */
export const answers: { readonly [Id in Answered]: Validator<Operations[Id]["result"]> } = {
${answered.map(([id, name]) => `  ${id}: ${name},`).join("\n")}
};

/** What each operation does, and what it takes. */
export const operationFacts: {
  readonly [Id in OperationId]: { readonly summary: string; readonly parameters: readonly Parameter[] };
} = ${JSON.stringify(Object.fromEntries(facts))};
`;
}

const refOf = (body: PlacedOperation["operation"]["requestBody"]): string | undefined =>
  body?.content?.["application/json"]?.schema.$ref;

/** What an operation does, and what it takes. */
export function factsOf({ operation, parameters, source }: PlacedOperation, types: NamedType[]) {
  const ref = refOf(operation.requestBody);
  const body = ref === undefined ? undefined : typeAt(types, resolveRef(ref, source.path));
  const members = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => {
    return { name, in: "body", required: body?.schema.required?.includes(name), schema, file: body?.ref ?? "" };
  });
  const schemaOf = (schema: Schema, file: string): Schema => {
    return schema.$ref === undefined ? schema : { ...typeAt(types, resolveRef(schema.$ref, file)).schema, ...schema };
  };
  const taken = [...parameters.filter((one) => one.in !== "header"), ...members].map((one) => {
    const { description, type, items, minimum, maximum, ...schema } = schemaOf(one.schema, one.file);
    const { enum: names } = items === undefined ? schema : schemaOf(items, one.file);
    return {
      name: one.name,
      in: one.in,
      required: one.required || undefined,
      says: ("description" in one && one.description) || description,
      type: [type ?? "string"].flat()[0],
      names,
      initial: "default" in schema ? schema.default : undefined,
      minimum,
      maximum,
    };
  });
  return { summary: operation.summary, parameters: taken };
}
