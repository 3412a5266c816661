import { apiMethods } from "../api-part.ts";
import type { OpenApiDocument } from "../open-api-document.ts";

export interface ApiOperation {
  readonly path: string;
  readonly method: string;
  /** The possible statuses. */
  readonly statuses: readonly string[];
}

/** Returns all operations of a document. */
export function apiOperations({ paths }: OpenApiDocument): ApiOperation[] {
  return Object.entries(paths).flatMap(([path, one]) =>
    apiMethods
      .filter((method) => method in one)
      .map((method) => {
        const { responses } = one[method] as { readonly responses: object };
        return { path, method, statuses: Object.keys(responses) };
      }),
  );
}
