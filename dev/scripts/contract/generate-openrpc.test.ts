import openRpcSchema from "@open-rpc/spec/1_4/schema.json" with { type: "json" };
import jsonSchemaSchema from "@json-schema-tools/meta-schema/schema.json" with { type: "json" };
import { Ajv } from "ajv";
import formatsModule from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { generateOpenRpc, zoneLinkTypes } from "./generate-code.ts";
import { ajvOptions, readContract } from "../../../packages/contracts/src/testing/contract.ts";
import { readCorpus } from "../../../packages/contracts/src/testing/corpus.ts";

const contract = readContract();
const document = generateOpenRpc(contract) as {
  methods: {
    name: string;
    params: { name: string; required: boolean }[];
    errors: { code: number; data: { kind: unknown } }[];
  }[];
  components: { schemas: Record<string, object> };
};

/** OpenRPC 1.4 and the JSON Schema draft 7 that it builds on, both from disk. */
function openRpcValidator(): (value: unknown) => unknown[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (formatsModule as unknown as (ajv: Ajv) => void)(ajv);
  const { $schema: _meta, ...jsonSchema } = jsonSchemaSchema;
  const { $schema: _own, ...openRpc } = openRpcSchema;
  ajv.addSchema(jsonSchema).addSchema({ ...jsonSchema, $id: "https://meta.json-schema.tools" });
  const validate = ajv.compile(openRpc);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

test("the document is OpenRPC 1.4", () => {
  const problems = openRpcValidator();
  expect(problems(document)).toEqual([]);
  expect(problems({ ...document, methods: [{ name: "no params" }] })).not.toEqual([]);
  expect(problems({ ...document, components: { schemas: { Broken: { type: "text" } } } })).not.toEqual([]);
});

test("schemas that only the bus and the registry use are not in the document", () => {
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(expect.arrayContaining(["ExecuteTaskParams", "Attachment", "ErrorKind", "JsonRpcRequest"]));
  expect(names.filter((name) => /^(Agent|A2A|SimpleA2A|Bus)/.test(name))).toEqual(["A2AAgentCardV1", "AgentName"]);
});

describe("the document's schemas match the contract's", () => {
  const ajv = new Ajv2020({ ...ajvOptions, strict: false });
  ajv.addSchema({ $id: "openrpc", ...document });
  const onTheLink = new Set(zoneLinkTypes(contract));
  const cases = readCorpus(contract.types).filter(({ type }) => onTheLink.has(type));
  test.each(cases)("$id", ({ type, valid, value }) => {
    expect(ajv.validate(`openrpc#/components/schemas/${type.title}`, value)).toBe(valid);
  });
});
