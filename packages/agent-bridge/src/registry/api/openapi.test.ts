import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { registryApi } from "../../generated/registry-api.ts";
import { answered } from "../../testing/registry-document.ts";
import { startRegistry } from "../../testing/start-registry.ts";
import { problemTable } from "./registry-problem.ts";

type Operations = Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>;
const paths = registryApi["paths"] as Readonly<Record<string, Operations>>;
const methods = ["get", "post", "patch", "delete", "put"];

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(registryApi));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("the document is served without a token, and names itself", async () => {
  const { ask } = await startRegistry();
  const { status, body } = await ask("GET /openapi.json", undefined, { authorization: "" });
  expect(status).toBe(200);
  expect(body).toEqual(registryApi);
  expect(body).toMatchObject({ openapi: "3.1.1", servers: [{ url: "/api/v1" }] });
});

test("every operation of the document is served, and answers as it says", async () => {
  const { ask } = await startRegistry();
  const agent = { name: "a", url: "http://a/" };
  const bodies: Readonly<Record<string, unknown>> = {
    "post /agents": agent,
    "patch /agents/{name}": { enabled: true },
  };
  const operations = Object.entries(paths).flatMap(([path, one]) =>
    methods
      .filter((method) => method in one)
      .map((method) => ({ path, method, responses: one[method]?.responses ?? {} })),
  );
  expect(operations).toHaveLength(10);
  for (const { path, method, responses } of operations) {
    const line = `${method} ${path}`;
    await ask(
      line === "post /agents" ? "DELETE /agents/a" : "POST /agents",
      line === "post /agents" ? undefined : agent,
    );
    const { status } = await ask(`${method.toUpperCase()} ${path.replace("{name}", "a")}`, bodies[line]);
    const expected = Object.keys(responses).find((one) => one.startsWith("2"));
    expect([line, String(status)]).toEqual([line, expected]);
    expect(answered).toContain(`${line} ${expected}`);
  }
});

test("every status of a problem is in the document", () => {
  const said = new Set(
    Object.values(paths).flatMap((one) => methods.flatMap((method) => Object.keys(one[method]?.responses ?? {}))),
  );
  const statuses = Object.values(problemTable).map(({ status }) => String(status));
  // What is not served is in no document.
  expect([...new Set(statuses)].filter((status) => !said.has(status))).toEqual(["405"]);
});
