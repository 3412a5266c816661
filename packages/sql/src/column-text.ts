/** Makes external text storable: PostgreSQL refuses U+0000, and both engines half a surrogate pair. */
export const columnText = (text: string): string => text.toWellFormed().replaceAll("\0", "\u{fffd}");
