export type Child = Node | string | undefined | false;

/**
 * Attributes of an element. A function is an event listener (`onclick`), `true` an empty attribute; `false` and
 * undefined are omitted.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

const svgNamespace = "http://www.w3.org/2000/svg";

/** Creates an element. Strings become text nodes, so a run's data is never parsed as markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** Creates an SVG element in the same way. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(svgNamespace, tag), attributes, children);
}

/** Sets attributes; removes those that are undefined or false. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Returns the element of `index.html` with this id. Throws when it is missing. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element;
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}
