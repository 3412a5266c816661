import { apiFrame, type ApiSource, apiSources } from "../../../packages/contracts/src/openapi.ts";
import type { Schema } from "../../../packages/contracts/src/testing/contract.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema & { readonly default?: unknown };
}

export interface PlacedParameter extends Parameter {
  /** The file to which its references are relative. */
  readonly file: string;
}

export interface OperationBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly "x-late"?: boolean;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly { readonly adminToken: readonly string[] }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: OperationBody;
  readonly responses: Readonly<Record<string, OperationBody>>;
  readonly "x-cursor"?: readonly ("integer" | "string")[];
  readonly "x-problems"?: readonly string[];
}

/** An operation of the API in its place. */
export interface PlacedOperation {
  readonly source: ApiSource;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** All parameters, those of the path too. */
  readonly parameters: readonly PlacedParameter[];
}

/** The documents of the API. */
export const sources: readonly ApiSource[] = [apiFrame, ...Object.values(apiSources)];

/** Returns every operation of some parts of the API; of all when absent. */
export function placedOperations(of: readonly ApiSource[] = sources): PlacedOperation[] {
  return of.flatMap((source) => {
    const placed = ({ components, path: file }: ApiSource) =>
      Object.entries((components["parameters"] ?? {}) as Readonly<Record<string, Parameter>>).map(
        ([name, one]) => [name, { ...one, file }] as const,
      );
    const named = new Map([...placed(apiFrame), ...placed(source)]);
    return Object.entries(source.paths).flatMap(([path, { parameters: shared = [], ...methods }]) =>
      Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => {
        const all = [...(shared as readonly Parameter[]), ...(operation.parameters ?? [])];
        const parameters = all.map(
          (one) => named.get(one.$ref?.split("/").at(-1) ?? "") ?? { ...one, file: source.path },
        );
        return { source, method: method.toUpperCase(), path, operation, parameters };
      }),
    );
  });
}
