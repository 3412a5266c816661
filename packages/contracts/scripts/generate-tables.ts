import { typeAt, type Contract } from "./contract.ts";

/** The error catalogue as data. The type check fails when a kind has no row, or a row no kind. */
export function generateErrors({ errors }: Contract): string {
  return `import type { ErrorKind } from "./types.ts";

/** One row of the error catalogue. */
export interface ErrorRow {
  /** JSON-RPC error code on the zone link. */
  readonly code: number;
  /** Whether the same request may be sent again. */
  readonly retryable: boolean;
  /** The \`message\` on the wire; fixed text. */
  readonly title: string;
  readonly description: string;
}

/** Error kind → code, retryable, title: the single error catalogue. */
export const errorTable: Readonly<Record<ErrorKind, ErrorRow>> = ${JSON.stringify(errors, null, 2)};
`;
}

/** The method map: method → params, result, errors; once as a type and once as validators. */
export function generateMethods({ methods, types }: Contract): string {
  const rows = Object.entries(methods).map(([name, row]) => ({
    name,
    errors: row.errors,
    params: typeAt(types, row.params).title,
    result: typeAt(types, row.result).title,
  }));
  const titles = [...new Set(rows.flatMap(({ params, result }) => [params, result]))].toSorted();
  const typeRows = rows.map(({ name, params, result }) => `  ${name}: { params: ${params}; result: ${result} };`);
  const validatorRows = rows.map(
    ({ name, params, result, errors }) =>
      `  ${name}: { params: is${params}, result: is${result}, errors: ${JSON.stringify(errors)} },`,
  );
  return `import type { ErrorKind, ${titles.join(", ")} } from "./types.ts";
import { ${titles.map((title) => `is${title}`).join(", ")} } from "./validators.ts";
import type { Validator } from "../validator.ts";

/** The methods of the zone link: what each takes and answers. */
export interface ZoneMethods {
${typeRows.join("\n")}
}

/** Validators and declared error kinds of each method. */
export const zoneMethods: {
  readonly [M in keyof ZoneMethods]: {
    readonly params: Validator<ZoneMethods[M]["params"]>;
    readonly result: Validator<ZoneMethods[M]["result"]>;
    readonly errors: readonly ErrorKind[];
  };
} = {
${validatorRows.join("\n")}
};
`;
}
