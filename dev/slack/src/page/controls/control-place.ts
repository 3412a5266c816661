import { type Attributes } from "../frame/element.ts";
import { type BlockElement, initialValues, words } from "../text/block-element.ts";
import type { Reader } from "../text/names.ts";
import { act, lastValues, type Surface } from "./acting.ts";
import { confirmed } from "./confirm-dialog.ts";

/** Where an element is drawn, and for whom. */
export interface ControlPlace {
  readonly surface: Surface;
  readonly reader: Reader;
  /** The id of the block. */
  readonly block: string;
  /** Set for the element of an input, which has a label. */
  readonly input?: {
    readonly labelId: string;
    readonly noteId: string;
    readonly isRequired: boolean;
    /** Slack keeps the value for the submission and does not send it. */
    readonly isQuiet: boolean;
  };
}

/** Sends what the person did with an element, after the app's question if it has one. Returns false if the person canceled. */
export async function use(element: BlockElement, place: ControlPlace, value?: string | string[]): Promise<boolean> {
  if (!(await confirmed(element["confirm"]))) return false;
  const { action_id } = element;
  await act(
    place.surface,
    { action_id, block_id: place.block, ...(value !== undefined && { value }) },
    place.input?.isQuiet,
  );
  return true;
}

/** Returns what the element shows: what the person chose last, else its initial values. */
export function shownValues(element: BlockElement, { surface, block }: ControlPlace): string[] {
  return lastValues(surface, { block_id: block, action_id: element.action_id }) ?? initialValues(element);
}

/** Returns the attributes that every control has. `value` tells apart the controls of one element. */
export function controlAttributes(element: BlockElement, { input }: ControlPlace, value?: string): Attributes {
  return {
    class: "control",
    "data-testid": ["control", element.action_id, ...(value === undefined ? [] : [value])].join("-"),
    autofocus: element["focus_on_load"] === true,
    "aria-describedby": input?.noteId,
  };
}

/** Returns the attributes that name a menu or a field. */
export function nameAttributes(element: BlockElement, { input }: ControlPlace): Attributes {
  const name = words(element["placeholder"]) || element.type.replaceAll("_", " ");
  return input ? { "aria-labelledby": input.labelId } : { "aria-label": name };
}
