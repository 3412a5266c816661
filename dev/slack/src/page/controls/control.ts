import type { Attributes } from "../frame/element.ts";
import { type Block, type BlockElement, initialValues, stringOf, words } from "../text/block-element.ts";
import type { Reader } from "../text/names.ts";
import { act, lastValues, type Surface } from "./acting.ts";

/** Where an element is drawn, and for whom. */
export interface ControlPlace {
  readonly surface: Surface;
  readonly reader: Reader;
  /** The id of the block. */
  readonly block: string;
  /** Set for the element of an input. Slack keeps a quiet one's value for the submission and does not send it. */
  readonly input?: { labelId: string; noteId: string; isRequired: boolean; isQuiet: boolean };
}

/** An element of a block, as the functions that draw it need it. */
export interface Control {
  readonly element: BlockElement;
  /** What the person chose last, else the initial values. */
  readonly values: readonly string[];
  /** The attributes of its HTML element; `value` tells apart several of one element. */
  readonly attributes: (value?: string) => Attributes;
  /** Sends what the person did, unless the app wants it confirmed and the person cancels; then it resolves with false. */
  readonly use: (value?: string | string[]) => Promise<boolean>;
}

/** Makes the control of an element. */
export function createControl(element: BlockElement, { surface, block, input }: ControlPlace): Control {
  const { action_id, accessibility_label, placeholder, focus_on_load, confirm } = element;
  const ids = { block_id: block, action_id };
  const name = stringOf(accessibility_label) || words(placeholder) || undefined;
  return {
    element,
    values: lastValues(surface, ids) ?? initialValues(element),
    attributes: (value) => ({
      class: "control",
      "data-testid": ["control", action_id, ...(value === undefined ? [] : [value])].join("-"),
      autofocus: focus_on_load === true,
      "aria-label": input || value !== undefined ? undefined : name,
      "aria-labelledby": value === undefined ? input?.labelId : undefined,
      "aria-describedby": input?.noteId,
      required: input?.isRequired,
    }),
    use: async (value) => {
      if (confirm !== undefined && !isConfirmed(confirm as Block)) return false;
      await act(surface, { ...ids, ...(value !== undefined && { value }) }, input?.isQuiet === true);
      return true;
    },
  };
}

/** Asks the question that the app wants to have confirmed. */
const isConfirmed = ({ title, text }: Block): boolean =>
  // oxlint-disable-next-line no-alert -- the browser's own dialog has a focus trap and needs no code
  window.confirm([words(title), words(text)].join("\n\n"));
