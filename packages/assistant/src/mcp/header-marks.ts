/** The member of a schema that copies an argument to a header, `Mcp-Param-<mark>`. */
const mark = "x-mcp-header";

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
const types: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Returns whether the marks of a tool's schema are allowed; a tool with any other must not be offered. A mark is a name
 * of a header, unique, and stands only at primitive properties of the object and of objects in it.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#schema-extension
 */
export function hasValidMarks(schema: unknown): boolean {
  const names = new Set<string>();
  const visit = (node: unknown, isProperty: boolean, isReachable: boolean): boolean => {
    if (typeof node !== "object" || node === null) return true;
    if (Array.isArray(node)) return node.every((item) => visit(item, false, false));
    const { [mark]: name, properties, type, ...rest } = node as Readonly<Record<string, unknown>>;
    if (name !== undefined) {
      if (!isProperty || !isReachable || typeof name !== "string" || !token.test(name)) return false;
      if (!types.includes(type) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    const members = typeof properties === "object" && properties !== null ? Object.values(properties) : [];
    return (
      members.every((member) => visit(member, true, isReachable)) &&
      Object.values(rest).every((other) => visit(other, false, false))
    );
  };
  return visit(schema, false, true);
}
