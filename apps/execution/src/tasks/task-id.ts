/** The form of the ids that tasks are given. https://www.rfc-editor.org/rfc/rfc9562#section-4 */
const form = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a task of this zone may have this id: one that comes from outside may be anything, also what no database takes. */
export const isTaskId = (id: string): boolean => form.test(id);
