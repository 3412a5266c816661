import {
  apiFrame,
  type ApiParameter,
  type ApiSource,
  apiSources,
  type DocumentedOperation,
  operationsAt,
} from "../../../packages/contracts/src/openapi.ts";

export interface PlacedParameter extends ApiParameter {
  /** The file to which its references are relative. */
  readonly file: string;
}

/** An operation of the API in its place. */
export interface PlacedOperation {
  readonly source: ApiSource;
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  /** All parameters, those of the path too. */
  readonly parameters: readonly PlacedParameter[];
}

/** The documents of the API. */
export const sources: readonly ApiSource[] = [apiFrame, ...Object.values(apiSources)];

/** Returns every operation of some parts of the API; of all when absent. */
export function placedOperations(of: readonly ApiSource[] = sources): PlacedOperation[] {
  return of.flatMap((source) => {
    const placed = ({ components, path: file }: ApiSource) =>
      Object.entries((components["parameters"] ?? {}) as Readonly<Record<string, ApiParameter>>).map(
        ([name, one]) => [name, { ...one, file }] as const,
      );
    const named = new Map([...placed(apiFrame), ...placed(source)]);
    return Object.keys(source.paths).flatMap((path) => {
      const { shared, methods } = operationsAt(source, path);
      return Object.entries(methods).map(([method, operation]) => {
        const all = [...shared, ...(operation.parameters ?? [])];
        const parameters = all.map(
          (one) => named.get(one.$ref?.split("/").at(-1) ?? "") ?? { ...one, file: source.path },
        );
        return { source, method: method.toUpperCase(), path, operation, parameters };
      });
    });
  });
}
