/** The form of task ids. https://www.rfc-editor.org/rfc/rfc9562#section-4 */
const form = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a text has the form of a task id. Ids from outside may be anything, including text that databases reject. */
export const isTaskId = (id: string): boolean => form.test(id);
