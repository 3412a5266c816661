const text = { type: "string" };
const texts = { type: "array", items: text, minItems: 1 };

const file = {
  type: "object",
  required: ["name", "media_type", "bytes"],
  properties: { name: text, media_type: text, bytes: { type: "string", contentEncoding: "base64" } },
};

/** The judgements by their only member. */
export const judgementSchemas: Readonly<Record<string, object>> = {
  exact: {},
  contains: texts,
  matches: text,
  schema: { type: "object" },
  state: text,
  rubric: { type: "string", minLength: 1 },
};

/** JSON Schema of a cassette. `$schema` lets editors check it. */
export const cassetteSchema: object = {
  type: "object",
  required: ["name", "messages", "expect"],
  additionalProperties: false,
  properties: {
    $schema: text,
    name: { type: "string", minLength: 1 },
    recorded_at: text,
    messages: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["text"],
        additionalProperties: false,
        properties: { text, files: { type: "array", items: file } },
      },
    },
    answer: { type: "object", required: ["state", "text"] },
    expect: {
      type: "array",
      items: {
        type: "object",
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: judgementSchemas,
      },
    },
    wire: { type: "array", items: { type: "object" } },
    model: {
      type: "array",
      items: {
        type: "object",
        required: ["provider", "path", "at", "request", "status", "content_type"],
        properties: {
          provider: { enum: ["openai", "anthropic"] },
          path: text,
          at: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T" },
          status: { type: "integer", minimum: 100, maximum: 599 },
          content_type: text,
          chunks: { type: "array", items: { type: "object", required: ["text"], properties: { text } } },
        },
      },
    },
  },
};
