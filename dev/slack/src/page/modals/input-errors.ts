/** What is wrong in a modal, by `block_id`. */
type Errors = Readonly<Record<string, string>>;

const inputsOf = (form: HTMLFormElement): HTMLElement[] => [...form.querySelectorAll<HTMLElement>("[data-block]")];
const controlsOf = (input: HTMLElement): HTMLInputElement[] => [
  ...input.querySelectorAll<HTMLInputElement>("input, textarea, select"),
];

/** Returns what Slack's client rejects before it sends a submission. */
export function ownErrors(form: HTMLFormElement): Errors {
  const wrong = inputsOf(form).map((input): [string, string] => {
    const controls = controlsOf(input);
    const boxes = controls.filter(({ type }) => type === "checkbox");
    const isUnchecked = boxes.length > 0 && !boxes.some(({ checked }) => checked);
    const isMissing =
      (isUnchecked && input.dataset["required"] !== undefined) ||
      controls.some(({ validity }) => validity.valueMissing);
    const problem = controls.find(({ validity }) => !validity.valid)?.validationMessage ?? "";
    return [input.dataset["block"] ?? "", isMissing ? "This field is required." : problem];
  });
  return Object.fromEntries(wrong.filter(([, problem]) => problem !== ""));
}

/** Shows what is wrong below each input, and moves the focus to the first of them. */
export function showErrors(form: HTMLFormElement, errors: Errors): void {
  for (const input of inputsOf(form)) {
    const error = errors[input.dataset["block"] ?? ""];
    input.querySelector(".input-error")?.replaceChildren(error ?? "");
    for (const control of controlsOf(input)) {
      if (error === undefined) control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
    }
  }
  form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
}
