import type { InputAnswer, InputRequest, InputSchema, ParamProblem } from "@crosszone/contracts";
import { z } from "zod";

/** Returns why an answer does not fit a request, with JSON pointers into the params; empty when it fits. */
export function answerProblems(request: InputRequest, answer: InputAnswer): ParamProblem[] {
  const { kind, options = [], schema } = request;
  if (answer.verdict === "deny") return [];
  if ((answer.verdict === "approve") !== (kind === "approve"))
    return [{ pointer: "/answer/verdict", message: `must be ${kind === "approve" ? "approve" : "answer"} or deny` }];
  if (answer.verdict === "approve") return [];
  if (kind === "form") return schema === undefined ? [] : formProblems(schema, answer.values);
  const { value } = answer;
  if (value === undefined) return [{ pointer: "/answer/value", message: "is missing" }];
  if (kind === "text" || options.some((option) => option.value === value)) return [];
  const known = options.map((option) => option.value).join(", ");
  return [{ pointer: "/answer/value", message: `must be one of ${known}` }];
}

function formProblems(schema: InputSchema, values: unknown): ParamProblem[] {
  const form = { ...schema, additionalProperties: false } as Parameters<typeof z.fromJSONSchema>[0];
  const read = z.fromJSONSchema(form).safeParse(values);
  if (read.success) return [];
  return read.error.issues.flatMap((issue) => {
    const names = issue.code === "unrecognized_keys" ? issue.keys : issue.path;
    const pointers = names.map((name) => `/answer/values/${String(name)}`);
    return (pointers.length === 0 ? ["/answer/values"] : pointers).map((pointer) => ({
      pointer,
      message: issue.code === "unrecognized_keys" ? "is not a field of the form" : issue.message,
    }));
  });
}
