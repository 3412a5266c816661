import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { apiMethods, type OpenApiDocument } from "../api-part.ts";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

const escaped = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Checks that a server responds as its OpenAPI document says. */
export function createDocumentCheck(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "https://api/" });
  /** Operations and statuses that were checked, such as `get /agents 200`. */
  const answered = new Set<string>();
  const served = Object.entries(document.paths).map(
    ([template, path]) => [template, path as Readonly<Record<string, Operation>>] as const,
  );

  function checkSchema(pointer: string, response: Response, body: unknown): void {
    const type = response.headers.get("content-type") ?? "";
    const validate = ajv.getSchema(`https://api/${pointer}/content/${escaped(type)}/schema`);
    if (validate === undefined) expect.fail(`${type} is not what ${pointer} says`);
    const problems = validate(body) ? [] : (validate.errors as ErrorObject[]);
    expect(problems.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([]);
  }

  return {
    answered,
    /** Throws unless the document allows this response. A request that the document does not describe must get a problem. */
    check: (request: { readonly method: string; readonly path: string }, response: Response, body: unknown): void => {
      const method = request.method.toLowerCase();
      const path = request.path.split("?", 1)[0] as string;
      const [template, operations] =
        served.find(([one, of]) => method in of && new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)) ??
        [];
      const operation = operations?.[method];
      if (template === undefined || operation === undefined) {
        expect([404, 405, 401, 403, 429]).toContain(response.status);
        return checkSchema("#/components/responses/Problem", response, body);
      }
      answered.add(`${method} ${template} ${response.status}`);
      const answer = operation.responses[response.status];
      expect(answer, `${method} ${template} answers ${response.status}`).toBeDefined();
      const pointer = `#/paths/${escaped(template)}/${method}/responses/${response.status}`;
      if (body === undefined) expect(answer).not.toHaveProperty("content");
      else checkSchema(answer?.$ref ?? pointer, response, body);
    },
  };
}

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
