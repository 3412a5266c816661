import type { AnswerTo } from "./api-exchange.ts";
import type { OpenApiDocument } from "./open-api-document.ts";

/** The supported methods. HEAD is served with GET. */
export const apiMethods = ["get", "post", "patch", "delete"] as const;

/** The handlers of a path by method. Every other method is refused. */
export type ApiPath = Readonly<Partial<Record<(typeof apiMethods)[number], AnswerTo>>>;

/** A part of the API: its OpenAPI document, and handlers by the document's path templates. */
export interface ApiPart {
  readonly document: OpenApiDocument;
  readonly paths: Readonly<Record<string, ApiPath>>;
}
