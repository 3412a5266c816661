import { expect, test } from "vitest";
import { operations } from "../../../packages/contracts/src/index.ts";
import type { ApiSource } from "../../../packages/contracts/src/openapi.ts";
import { readContract, type Schema } from "../../../packages/contracts/src/testing/contract.ts";
import { validator } from "../../../packages/contracts/src/validator.ts";
import { answers, operationFacts } from "../../../tools/cli/src/generated/operations.ts";
import type { Command, CommandGroup } from "../../../tools/cli/src/program/command.ts";
import { actRow, listRow } from "../../../tools/cli/src/program/row.ts";
import { deleted, refusing, startFakeZone } from "../../../tools/cli/src/testing/fake-zone.ts";
import { runCli } from "../../../tools/cli/src/testing/run-cli.ts";
import { commandReference } from "./command-reference.ts";
import { factsOf } from "./generate-commands.ts";
import { rowOf } from "./generate-operations.ts";
import { placedOperations } from "./placed-operations.ts";

const parcel: Schema = {
  title: "Parcel",
  type: "object",
  required: ["parcel_id", "state"],
  properties: {
    parcel_id: { type: "string" },
    state: { title: "ParcelState", enum: ["sent", "received"] },
    weight: { type: "integer", minimum: 1, description: "How heavy it is, in grams." },
  },
};
const list: Schema = {
  title: "ParcelList",
  type: "object",
  required: ["parcels"],
  properties: {
    parcels: { type: "array", items: { $ref: "parcel.schema.json" } },
    next_cursor: { type: "string" },
  },
};
const json = (schema: string) => ({ content: { "application/json": { schema: { $ref: schema } } } });
const security = [{ adminToken: ["runs:read"] }];
const ofPages = ["limit", "cursor"].map((name) => ({ $ref: `#/components/parameters/${name}` }));
const state = {
  name: "state",
  in: "query",
  description: "Only parcels in this state.",
  schema: { enum: ["sent", "received"] },
};

/** The whole of a resource in the document of the API. */
const source: ApiSource = {
  path: "parcel/api.json",
  components: {},
  paths: {
    "/parcels": {
      get: {
        operationId: "listParcels",
        summary: "Lists parcels, newest first",
        security,
        parameters: [...ofPages, state],
        "x-cursor": ["string"],
        responses: { 200: { description: "A page", ...json("parcel-list.schema.json") } },
      },
      post: {
        operationId: "sendParcel",
        summary: "Sends a parcel",
        security,
        requestBody: { required: true, ...json("parcel.schema.json") },
        responses: { 201: { description: "The parcel", ...json("parcel.schema.json") } },
      },
    },
    "/parcels/{parcel_id}": {
      parameters: [{ name: "parcel_id", in: "path", required: true, schema: { type: "string" } }],
      delete: {
        operationId: "removeParcel",
        summary: "Removes a parcel",
        security,
        responses: { 204: { description: "It is removed" } },
      },
    },
  },
};

const types = [
  ...readContract().types,
  { title: "Parcel", ref: "parcel/parcel.schema.json", schema: parcel },
  { title: "ParcelList", ref: "parcel/parcel-list.schema.json", schema: list },
];
const made = placedOperations([source]);
const byId = <Value>(valueOf: (one: (typeof made)[number]) => Value) =>
  Object.fromEntries(made.map((one) => [one.operation.operationId, valueOf(one)]));
Object.assign(operations, byId(rowOf));
Object.assign(
  operationFacts,
  byId((one) => factsOf(one, types)),
);
const file = (name: string, schema: Schema) => ({ ...schema, $id: `https://crosszone.dev/schemas/parcel/${name}` });
const isParcel = validator({ file: file("parcel.schema.json", parcel) });
const isList = validator({
  file: file("parcel-list.schema.json", list),
  refs: () => ({ "parcel.schema.json": isParcel }),
});
const isNothing = (value: unknown) => value === undefined;
Object.assign(answers, { listParcels: isList, sendParcel: isParcel, removeParcel: isNothing });

interface Parcel {
  readonly parcel_id: string;
  readonly state: string;
}

const rows: readonly Command[] = [
  listRow({
    name: "parcels list",
    operation: "listParcels" as "listTasks",
    examples: [["crosszone parcels list --state sent", "what is on its way"]],
    of: (page) => (page as object as { readonly parcels: readonly Parcel[] }).parcels,
    columns: ({ parcel_id, state: stands }) => ({ PARCEL: parcel_id, STATE: stands }),
    none: "No parcels.",
    names: { kind: "parcel", of: ({ parcel_id }) => parcel_id },
  }),
  actRow({
    name: "parcels send",
    operation: "sendParcel" as "getTask",
    operands: { parcel_id: "<parcel>" },
    examples: [["crosszone parcels send book --state sent", "a book"]],
    show: () => "Sent.\n",
  }),
  actRow({
    name: "parcels remove",
    operation: "removeParcel" as "removeSchedule",
    examples: [["crosszone parcels remove book", "by its name"]],
    show: () => "Removed.\n",
  }),
];
const groups: readonly CommandGroup[] = [{ title: "Parcels", commands: rows }];

const book = { parcel_id: "book", state: "sent" };

test("a resource that has a document and rows has its client, commands, paging, completion, errors and reference", async () => {
  const zone = await startFakeZone({
    "GET /parcels?limit=20&state=sent": { parcels: [book], next_cursor: "p2" },
    "GET /parcels?limit=200": { parcels: [book], next_cursor: "p2" },
    "GET /parcels?limit=200&cursor=p2": { parcels: [{ ...book, parcel_id: "lamp" }] },
    "POST /parcels": book,
    "DELETE /parcels/book": deleted,
    "DELETE /parcels/bok": refusing("parcel-not-found"),
  });
  const cli = async (line: string) => {
    const { code, out, err } = await runCli(zone.url, line.split(" "), { groups });
    return [code, out + err];
  };
  expect(await cli("parcels --state sent")).toEqual([
    0,
    "PARCEL  STATE\nbook    sent\nThere are more: --cursor p2 shows the next page, --all shows all.\n",
  ]);
  expect(await cli("parcels list --all")).toEqual([0, "PARCEL  STATE\nbook    sent\nlamp    sent\n"]);
  const both = { parcels: [book, { ...book, parcel_id: "lamp" }] };
  expect(JSON.parse(String((await cli("parcels list --all --json"))[1]))).toEqual(both);
  expect(await cli("parcels send book --state sent --weight 3")).toEqual([0, "Sent.\n"]);
  expect(zone.requestsFor("POST /parcels")[0]?.body).toEqual({ parcel_id: "book", state: "sent", weight: 3 });
  expect(await cli("parcels remove book")).toEqual([0, "Removed.\n"]);
  expect(await cli("parcels remove bok")).toEqual([3, 'It is refused: "bok". Did you mean book?\n']);
  expect(await cli("parcels --state snet")).toEqual([
    2,
    expect.stringMatching(/^--state must be one of sent, received\. Did you mean sent\?/),
  ]);
  expect(await cli("parcels send book --state sent --weight 0")).toEqual([
    2,
    expect.stringContaining('--weight must be a whole number of at least 1, got "0".'),
  ]);
  expect(await cli("parcels send book")).toEqual([2, expect.stringContaining("--state is missing.")]);
  expect(await cli("__complete parcels remove l")).toEqual([0, ""]);
  expect(await cli("__complete parcels remove b")).toEqual([0, "book\n"]);
  expect(await cli("__complete parcels list --state r")).toEqual([0, "received\n"]);
  const [, help] = await cli("parcels list --help");
  expect(help).toMatch(
    /Lists parcels, newest first\.[^]*--state <state> +only parcels in this state: sent, received\n/,
  );
  const reference = Object.values(commandReference(groups).pages).join("\n");
  expect(reference).toContain("### parcels send\n\nSends a parcel.\n\n`crosszone parcels send <parcel>`");
  expect(reference).toContain("| `--weight <weight>` | how heavy it is, in grams |");
});
