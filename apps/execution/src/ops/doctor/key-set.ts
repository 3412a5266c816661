import { z } from "zod";

/** https://www.rfc-editor.org/rfc/rfc7517#section-5 */
export const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });
