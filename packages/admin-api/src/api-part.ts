import type { AnswerTo } from "./api-exchange.ts";
import type { OpenApiDocument } from "./open-api-document.ts";

/** What a path can serve. HEAD goes with GET. */
export const apiMethods = ["get", "post", "patch", "delete"] as const;

/** What answers the methods of one path. Every other method is refused. */
export type ApiPath = Readonly<Partial<Record<(typeof apiMethods)[number], AnswerTo>>>;

/** A part of the API: what its document says, and what answers that, by the document's own templates of paths. */
export interface ApiPart {
  readonly document: OpenApiDocument;
  readonly paths: Readonly<Record<string, ApiPath>>;
}
