import { isObject, type Json } from "./block-checks.ts";
import { ELEMENT_RULES } from "./element-rules.ts";
import { randomText } from "../workspace/slack-clock.ts";

/** An element that a person can use, with its ids. */
export interface InteractiveElement extends Json {
  readonly type: string;
  readonly action_id: string;
}

/** An interactive element and the block that holds it. */
export interface PlacedElement {
  readonly block: Json & { readonly block_id: string };
  readonly element: InteractiveElement;
}

const BLOCK_LISTS = ["child_blocks", "elements"];
const ELEMENT_MEMBERS = ["elements", "accessory", "element", "actions"];

const isElement = (value: unknown): value is Json =>
  isObject(value) && Object.hasOwn(ELEMENT_RULES, String(value["type"]));
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const isBlockList = (block: Json, name: string): boolean =>
  (name === "child_blocks" || block["type"] === "carousel") && Array.isArray(block[name]);

/**
 * Returns the blocks with the ids that Slack gives to interactive elements, and to the blocks that hold them, where the app set none. Slack
 * gives every block an id; here only the blocks that a person can use get one.
 */
export function withIds(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => {
    const nested = BLOCK_LISTS.filter((name) => isBlockList(block, name));
    const own = ELEMENT_MEMBERS.filter((name) => listOf(block[name]).some(isElement));
    const named = (value: unknown): unknown => (isElement(value) ? { action_id: randomText(5), ...value } : value);
    return {
      ...block,
      ...(own.length > 0 && { block_id: block["block_id"] ?? randomText(5) }),
      ...Object.fromEntries(nested.map((name) => [name, withIds(listOf(block[name]).filter(isObject))])),
      ...Object.fromEntries(
        own.map((name) => [name, Array.isArray(block[name]) ? block[name].map(named) : named(block[name])]),
      ),
    };
  });
}

/** Returns every interactive element of blocks with ids, in order. */
export function elementsOf(blocks: readonly unknown[]): PlacedElement[] {
  return blocks.filter(isObject).flatMap((block) => [
    ...BLOCK_LISTS.flatMap((name) => (isBlockList(block, name) ? elementsOf(listOf(block[name])) : [])),
    ...ELEMENT_MEMBERS.flatMap((name) => listOf(block[name]).filter(isElement)).map((element) => ({
      block: block as PlacedElement["block"],
      element: element as InteractiveElement,
    })),
  ]);
}
