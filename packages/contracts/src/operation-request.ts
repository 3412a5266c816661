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
  readonly [Name in keyof Operations[Id]["query"]]?: string | number | boolean | undefined;
};

type OperationPlace<Id extends OperationId> = Members<Operations[Id]["params"]> & Body<Operations[Id]["body"]>;

/** A request of an operation; its path is below `/api/v1/`, with the query. */
export interface OperationRequest {
  readonly method: OperationRow["method"];
  readonly path: string;
  readonly body?: unknown;
}

/**
 * Returns the request of an operation. Values of the query that are undefined or empty, and those that the operation
 * does not know, are left out.
 */
export function operationRequest(id: OperationId, asked: object): OperationRequest {
  const values: Readonly<Record<string, string | number | boolean | undefined>> = { ...asked };
  const body: unknown = "body" in asked ? asked.body : undefined;
  const { method, path, query } = operations[id];
  const filled = path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const given = query.map((name) => [name, String(values[name] ?? "")]).filter(([, value]) => value !== "");
  return { method, path: given.length === 0 ? filled : `${filled}?${new URLSearchParams(given).toString()}`, body };
}
