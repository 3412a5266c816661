/** Only these names are allowed, so that an admin can't send another variable or file to an agent. */
const variable = /^env:(AGENT_SECRET_[A-Z0-9_]+)$/;
const file = /^file:([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/;

/** Returns the variable of a reference such as `env:AGENT_SECRET_SCOUT`. */
export const variableIn = (reference: string): string | undefined => variable.exec(reference)?.[1];

/** Returns the file name of a reference such as `file:scout`. */
export const fileIn = (reference: string): string | undefined => file.exec(reference)?.[1];

/** Returns whether a text is `env:AGENT_SECRET_…` or `file:…`. */
export const isSecretReference = (text: string): boolean => variable.test(text) || file.test(text);
