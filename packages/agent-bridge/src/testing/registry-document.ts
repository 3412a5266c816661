import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { registryApi } from "../generated/registry-api.ts";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

const paths = registryApi["paths"] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...registryApi, $id: "https://registry/" });

const escaped = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Templates and methods that an answer was checked for, as `get /agents 200`. */
export const answered: Set<string> = new Set();

/** Fails unless the OpenAPI document says that this request is answered so. What it does not serve is answered by a problem. */
export function checkAgainstDocument(
  request: { readonly method: string; readonly path: string },
  response: Response,
  body: unknown,
): void {
  const method = request.method.toLowerCase();
  const path = request.path.replace(/^\/api\/v1/, "").split("?", 1)[0] as string;
  const template = Object.keys(paths).find((one) => new RegExp(`^${one.replace("{name}", "[^/]+")}$`).test(path));
  const operation = template === undefined ? undefined : paths[template]?.[method];
  if (template === undefined || operation === undefined) {
    expect([404, 405, 401, 429]).toContain(response.status);
    return checkSchema("#/components/responses/Problem", response, body);
  }
  answered.add(`${method} ${template} ${response.status}`);
  const answer = operation.responses[response.status];
  expect(answer, `${method} ${template} answers ${response.status}`).toBeDefined();
  const pointer = `#/paths/${escaped(template)}/${method}/responses/${response.status}`;
  if (body === undefined) expect(answer).not.toHaveProperty("content");
  else checkSchema(answer?.$ref ?? pointer, response, body);
}

function checkSchema(pointer: string, response: Response, body: unknown): void {
  const type = response.headers.get("content-type") ?? "";
  const validate = ajv.getSchema(`https://registry/${pointer}/content/${escaped(type)}/schema`);
  if (validate === undefined) expect.fail(`${type} is not what ${pointer} says`);
  const problems = validate(body) ? [] : (validate.errors as ErrorObject[]);
  expect(problems.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([]);
}
