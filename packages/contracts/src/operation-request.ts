/** `@crosszone/contracts/operations`: how a client asks for an operation of the API. A browser loads it as it is. */
import { type OperationId, type OperationRow, operations, type Operations } from "./generated/operations.ts";

export type { OperationId, Operations };

type Members<Part> = Part extends undefined ? unknown : Part;
type Body<Of> = undefined extends Of ? { readonly body?: Of } : { readonly body: Of };

/** What an operation takes: the parameters of its path, query and headers by name, and its `body`. */
export type OperationAsk<Id extends OperationId> = Members<Operations[Id]["query"]> &
  Members<Operations[Id]["headers"]> &
  OperationPlace<Id>;

/** What an operation takes, with a query that people typed. */
export type TypedAsk<Id extends OperationId> = OperationPlace<Id> & {
  readonly [Name in keyof Operations[Id]["query"]]?: ApiQuery[string];
};

type OperationPlace<Id extends OperationId> = Members<Operations[Id]["params"]> & Body<Operations[Id]["body"]>;

/** A request of an operation; its path is below `/api/v1/`, with the query. */
export interface OperationRequest {
  readonly method: OperationRow["method"];
  readonly path: string;
  readonly body?: unknown;
}

/** Values of a query. Those that are undefined or empty are not sent. */
export type ApiQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a query as text that starts with `?`; empty without a value. */
export function queryText(query: ApiQuery): string {
  const given = Object.entries(query).map(([name, value = ""]) => [name, String(value)]);
  const sent = given.filter(([, value]) => value !== "");
  return sent.length === 0 ? "" : `?${new URLSearchParams(sent).toString()}`;
}

/** Returns the request of an operation. Values that the operation does not know are left out. */
export function operationRequest(id: OperationId, asked: object): OperationRequest {
  const values: ApiQuery = { ...asked };
  const body: unknown = "body" in asked ? asked.body : undefined;
  const { method, path, query } = operations[id];
  const filled = path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return { method, path: filled + queryText(Object.fromEntries(query.map((name) => [name, values[name]]))), body };
}
