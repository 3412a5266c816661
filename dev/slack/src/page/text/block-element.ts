/** A block, or a part of one, as the app sent it. See https://docs.slack.dev/reference/block-kit/blocks */
export type Block = Readonly<Record<string, unknown>>;

/** A part of a block that a person can use. See https://docs.slack.dev/reference/block-kit/block-elements */
export interface BlockElement extends Block {
  readonly type: string;
  readonly action_id: string;
}

export const listOf = (value: unknown): Block[] => (Array.isArray(value) ? (value as Block[]) : []);
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a text object. */
export function textOf(object: unknown): { kind: "mrkdwn" | "plain"; text: string } {
  const { type, text } = (object ?? {}) as Block;
  return { kind: type === "mrkdwn" ? "mrkdwn" : "plain", text: stringOf(text) };
}

export const words = (object: unknown): string => textOf(object).text;

/** Returns the values with which an element starts. */
export function initialValues(element: BlockElement): string[] {
  const [, initial = []] = Object.entries(element).find(([name]) => name.startsWith("initial_")) ?? [];
  const values: unknown[] = Array.isArray(initial) ? initial : [initial];
  return values.map((one) =>
    typeof one === "object" ? stringOf((one as Block)["value"]) : `${one as string | number}`,
  );
}

/** Returns the buttons of an element: itself or both feedback buttons, which have a value to send. None for a menu or a field. */
export function buttonsOf({ type, text, positive_button, negative_button }: BlockElement): {
  label: string;
  value?: string;
}[] {
  const both = listOf([positive_button, negative_button]);
  if (type === "feedback_buttons")
    return both.map((one) => ({ label: words(one["text"]), value: stringOf(one["value"]) }));
  return text === undefined ? [] : [{ label: words(text) }];
}

/** Returns the words on an element: the labels of its buttons, else its placeholder. */
export function elementLabels(element: BlockElement): string[] {
  const buttons = buttonsOf(element);
  if (buttons.length > 0) return buttons.map(({ label }) => label);
  return [words(element["placeholder"]) || element.type.replaceAll("_", " ")];
}
