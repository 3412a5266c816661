import { expect, test } from "vitest";
import { describeMisfit } from "./describe-misfit.ts";

const properties = {
  topic: { type: "string", examples: ["cats"] },
  count: { type: "integer" },
  tone: { enum: ["dry", "warm"] },
  "a/b": true,
};
const missing = [{ pointer: "/topic", message: "is missing" }];

test("each problem names its member and includes a valid example", () => {
  const workflow = {
    workflow_id: "publish",
    input_schema: { type: "object", properties, required: ["topic", "tone"] },
  };
  const problems = [...missing, { pointer: "/a~1b/0", message: "must be string" }, { pointer: "", message: "is odd" }];
  expect(describeMisfit(workflow, "about cats", problems)).toBe(
    [
      "The workflow `publish` can't start with this input:",
      "- `topic` is missing\n- `a/b.0` must be string\n- the input is odd",
      'It expects a JSON object such as this one:\n```json\n{\n  "topic": "cats",\n  "tone": "dry"\n}\n```',
    ].join("\n\n"),
  );
});

test("a schema without required members is shown with all its members, an empty schema without any", () => {
  const all = describeMisfit({ workflow_id: "w", input_schema: { properties } }, "x", missing);
  expect(all).toContain('"topic": "cats",\n  "count": 1,\n  "tone": "dry",\n  "a/b": "…"');
  expect(describeMisfit({ workflow_id: "w" }, "x", missing)).not.toContain("It takes");
});

test("text that starts like JSON but is invalid is reported with the position of the error", () => {
  const told = describeMisfit({ workflow_id: "w" }, '```{"topic": cats}```', missing);
  expect(told).toContain(
    "looks like JSON but isn't valid: `cats` must be in double quotes, or be `true`, `false` or `null`, at character 11.",
  );
  expect(describeMisfit({ workflow_id: "w" }, "{“topic”: cats}", missing)).toContain("at character 11.");
});
