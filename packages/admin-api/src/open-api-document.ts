type Section = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document: the members that merging needs. https://spec.openapis.org/oas/v3.1.1 */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Section;
  readonly servers: readonly unknown[];
  readonly security: readonly unknown[];
  readonly paths: Readonly<Record<string, Section>>;
  readonly components: Readonly<Record<string, Section>>;
}
