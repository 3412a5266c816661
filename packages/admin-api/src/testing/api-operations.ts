import { apiMethods } from "../api-part.ts";
import type { OpenApiDocument } from "../open-api-document.ts";

export interface ApiOperation {
  readonly path: string;
  readonly method: string;
  /** That it may be answered with. */
  readonly statuses: readonly string[];
}

/** Everything that a document says is served. */
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
