import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { createAdminApi } from "./create-admin-api.ts";
import { openApi } from "@crosszone/contracts/openapi";
import { startAdminApi, notesPart } from "./testing/start-admin-api.ts";

const adminApi = openApi("frame");

const tokens = () => [];
const notes = notesPart();
const tags = {
  document: {
    ...adminApi,
    paths: {
      "/tags": { get: { security: [{ adminToken: ["runs:read"] }], responses: { 200: { description: "Tags" } } } },
    },
  },
  paths: { "/tags": { get: () => ({ status: 200, body: [] }) as const } },
};

test("the combined document is served without a token and names itself", async () => {
  const { ask } = await startAdminApi({ parts: [notes, tags] });
  const { status, body } = await ask("GET /openapi.json", undefined, { authorization: "" });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    openapi: "3.1.1",
    info: { title: "Crosszone execution API" },
    servers: [{ url: "/api/v1" }],
    components: adminApi.components,
  });
  const { errors } = await new Validator().validate({ ...body });
  expect(errors ?? []).toEqual([]);
  expect(Object.keys(body?.["paths"] as object)).toEqual(["/openapi.json", "/session", ...Object.keys(notes.paths), "/tags"]);
});

test("parts that define one name differently, or serve the same path, are refused at the start", () => {
  const schemas = { ...adminApi.components["schemas"], Problem: { type: "string" } };
  const document = { ...tags.document, components: { ...adminApi.components, schemas } };
  const parts = [notes, { ...tags, document }];
  expect(() => createAdminApi({ parts, tokens })).toThrow("two parts of the API define Problem");
  expect(() => createAdminApi({ parts: [notes, tags, notes], tokens })).toThrow("two parts of the API define /notes");
});

test("a part that serves less or more than its document is refused at the start", () => {
  const silent = { ...tags, paths: {} };
  expect(() => createAdminApi({ parts: [silent], tokens })).toThrow("GET /tags is in the document but not served");
  const hidden = { ...tags, document: adminApi, paths: tags.paths };
  expect(() => createAdminApi({ parts: [hidden], tokens })).toThrow("GET /tags is served but not in the document");
  for (const security of [undefined, [], [{ adminToken: [] }], [{ adminToken: ["admin"] }]]) {
    const open = { ...tags.document, paths: { "/tags": { get: { security, responses: {} } } } };
    const parts = [{ ...tags, document: open }];
    expect(() => createAdminApi({ parts, tokens })).toThrow("GET /tags has no scope in its security");
  }
});
