import { ControlError } from "../protocol/control-api.ts";
import { isObject, type Json } from "../web-api/block-checks.ts";
import type { InteractiveElement } from "../web-api/interactive-elements.ts";
import { isList, valueMember } from "../web-api/view-shape.ts";
import type { Channel } from "../protocol/workspace.ts";
import { offersConversation } from "../workspace/conversation-filter.ts";
import type { Directory } from "../workspace/directory.ts";

/** What a person can choose from. */
export interface Choices {
  readonly directory: Directory;
  /** The id of the person. */
  readonly user: string;
}

/**
 * Returns the value that a choice gives an element, as Slack sends it: the whole option for the value of an option, null for an empty text.
 * Throws a `ControlError` for a value that the element does not offer.
 */
export function chosenValue(element: InteractiveElement, value: unknown, choices: Choices): unknown {
  if (!isList(element)) return value === "" ? null : singleValue(element, value, choices);
  const { max_selected_items: most = Infinity } = element;
  if (!Array.isArray(value)) throw new ControlError("value: must be a list");
  if (value.length > Number(most)) throw new ControlError(`value: at most ${String(most)} can be selected`);
  return value.map((one) => singleValue(element, one, choices));
}

function singleValue(element: InteractiveElement, value: unknown, { directory, user }: Choices): unknown {
  if (typeof value !== "string") throw new ControlError("value: must be a text");
  const isOffered = (found: unknown): void => {
    if (!found) throw new ControlError(`value: ${element.action_id} does not offer ${JSON.stringify(value)}`);
  };
  const offered = (channel?: Channel): boolean => channel !== undefined && offersConversation(element, channel, user);
  const member = valueMember(element)?.replace(/s$/, "") ?? "";
  switch (member) {
    case "selected_option": {
      const found = optionsIn(element).find((option) => option["value"] === value);
      isOffered(found);
      return found;
    }
    case "selected_user":
    case "selected_conversation":
    case "selected_channel":
      isOffered(member === "selected_user" ? directory.user(value) : offered(directory.channel(value)));
      return value;
    case "value":
      if (value.length > Number(element["max_length"] ?? 3000)) throw new ControlError("value: too long");
      return value;
    default:
      isOffered(FORMATS[member]?.test(value));
      return member === "selected_date_time" ? Number(value) : value;
  }
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  selected_date: /^\d{4}-\d\d-\d\d$/,
  selected_time: /^([01]\d|2[0-3]):[0-5]\d$/,
  selected_date_time: /^\d{10}$/,
};

/** Returns the options of an element, including those in groups. */
function optionsIn({ options, option_groups }: Json): Json[] {
  const grouped = Array.isArray(option_groups) ? option_groups.filter(isObject).map((group) => group["options"]) : [];
  return [options, ...grouped].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}
