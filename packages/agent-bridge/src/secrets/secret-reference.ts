/** Only these names, so that an admin of agents cannot have another variable, or another file, sent to an agent. */
const variable = /^env:(AGENT_SECRET_[A-Z0-9_]+)$/;
const file = /^file:([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/;

/** The name of the variable that a reference such as `env:AGENT_SECRET_SCOUT` means. */
export const variableIn = (reference: string): string | undefined => variable.exec(reference)?.[1];

/** The name of the file that a reference such as `file:scout` means. */
export const fileIn = (reference: string): string | undefined => file.exec(reference)?.[1];

/** Whether a text is `env:AGENT_SECRET_…` or `file:…`. */
export const isSecretReference = (text: string): boolean => variable.test(text) || file.test(text);
