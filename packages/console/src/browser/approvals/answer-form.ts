import type { InputAnswer, InputField, InputRequest, InputValue } from "@crosszone/contracts";
import { showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { useState } from "preact/hooks";
import { ApiFault } from "../api.ts";
import { openDialog } from "../dialog.ts";

/** The name of the field of a text. A form has the names of its own fields. */
const textName = "value";

type Fields = readonly (readonly [name: string, field: InputField, isRequired: boolean])[];

/** Returns the fields of a form, or the one of a text. */
function fieldsOf({ kind, schema }: InputRequest): Fields {
  if (kind === "text") return [[textName, { type: "string", title: "Answer", maxLength: 12_000 }, true]];
  const { properties = {}, required = [] } = schema ?? {};
  return Object.entries(properties).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, field, required.includes(name)] as const],
  );
}

/** Sends an answer. Rejects with why it was not taken. */
type Send = (answer: InputAnswer) => Promise<void>;

/** Asks for a text or for the fields of a form until the answer is taken, or the user closes it. */
export const askForAnswer = (request: InputRequest, send: Send): Promise<string> =>
  openDialog(`Answer: ${visibleLine(request.title)}`, (close) => h(AnswerForm, { request, send, close }));

function AnswerForm({ close, request, send }: { request: InputRequest; send: Send; close: () => void }) {
  const [said, setSaid] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const fields = fieldsOf(request);
  const problems = problemsOf(said, fields);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setSending(true);
    const failure = await send(answerOf(request, new FormData(form))).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (failure === undefined) return close();
    setSaid(failure);
    setSending(false);
    const [first] = problemsOf(failure, fields).keys();
    if (first !== undefined) (form.elements.namedItem(first) as HTMLElement | null)?.focus();
  }

  return h(
    "form",
    { onSubmit: (event: Event) => void submit(event) },
    h("p", null, "This is your answer, by name. It is in the audit log, and people read it in the thread."),
    fields.map((field) => fieldInput(field, problems.get(field[0]))),
    h("p", { class: "said", role: "alert" }, problems.size === 0 && said instanceof Error ? said.message : ""),
    h(
      "div",
      { class: "choices" },
      h("button", { type: "button", onClick: () => close() }, "Not now"),
      h("button", { type: "submit", class: "primary", disabled: isSending }, "Send"),
    ),
  );
}

/** Returns what the API says about fields, by their names. */
function problemsOf(said: unknown, fields: Fields): ReadonlyMap<string, string> {
  const problems = said instanceof ApiFault ? said.problems : [];
  const known = problems.map(
    ({ message, pointer }) => [pointer.replace(/^\/answer\/(values\/)?/, ""), message] as const,
  );
  return new Map(known.filter(([name]) => fields.some(([field]) => field === name)));
}

function fieldInput([name, field, isRequired]: Fields[number], problem: string | undefined): ComponentChild {
  const { description, title = name } = field;
  const [hintId, problemId] = [`hint-${name}`, `problem-${name}`];
  const described = [description !== undefined && hintId, problem !== undefined && problemId].filter(Boolean).join(" ");
  const common = { name, required: isRequired, "aria-invalid": problem !== undefined, "aria-describedby": described };
  return h(
    "div",
    { class: "reason", key: name },
    h("label", null, h("span", null, visibleLine(title) + (isRequired ? "" : " (optional)")), inputOf(field, common)),
    description !== undefined && h("span", { id: hintId }, visibleLine(description)),
    problem !== undefined && h("span", { id: problemId, class: "said" }, showUnseen(problem)),
  );
}

const formats = { date: "date", "date-time": "datetime-local", email: "email", uri: "url" } as const;

/** Returns the input of a field, as in Slack's modal. The browser checks what it can, the API the rest. */
function inputOf(field: InputField, common: object): ComponentChild {
  const { default: first, format, maximum, maxLength: most = 3_000, minimum, minLength, type } = field;
  // A user who sends a default answers for it, so nothing in it is hidden from them.
  const isVisible = first !== undefined && showUnseen(String(first)) === String(first);
  const given = isVisible ? { defaultValue: String(first) } : {};
  const options = type === "boolean" ? ["true", "false"] : field.enum;
  if (options !== undefined) {
    const words = (value: string): string =>
      type === "boolean" ? (value === "true" ? "Yes" : "No") : showUnseen(value);
    return h(
      "select",
      common,
      ["", ...options].map((value) =>
        h("option", { value, selected: value === String(first ?? "") }, value && words(value)),
      ),
    );
  }
  if (type !== "string") {
    const step = type === "integer" ? 1 : "any";
    return h("input", { ...common, ...given, type: "number", step, min: minimum, max: maximum });
  }
  if (format?.startsWith("date") === true) return h("input", { ...common, type: formats[format] });
  const bounds = { ...common, ...given, minLength, maxLength: most, spellcheck: false };
  if (format === undefined && most > 200) return h("textarea", { ...bounds, rows: 3 });
  return h("input", { ...bounds, type: format === undefined ? "text" : formats[format] });
}

/** Returns what was entered, with the types of the fields as far as they can be read. Empty fields have no value. */
function answerOf(request: InputRequest, given: FormData): InputAnswer {
  if (request.kind === "text") return { verdict: "answer", value: (given.get(textName) as string).trim() };
  const values = fieldsOf(request).flatMap(([name, field]) => {
    const text = given.get(name) as string;
    return text === "" ? [] : [[name, valueOf(text, field)] as const];
  });
  return { verdict: "answer", values: Object.fromEntries(values) };
}

function valueOf(text: string, { format, type }: InputField): InputValue {
  if (type === "boolean") return text === "true";
  if (type !== "string") return Number(text);
  return format === "date-time" ? new Date(text).toISOString() : text;
}
