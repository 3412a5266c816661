/** Each check of the surface, as its text and what it is without it. In a bundle, `undefined` has another spelling. */
export const checks = {
  who: [
    [/if \("status" in verdict\)\s*return verdict;/g, ""],
    [
      /const judged = auth\(exchange\);/g,
      "const judged = await Promise.resolve(auth(exchange)).catch(() => ({ who: undefined }));",
    ],
  ],
  may: [[/if \(forbidden !== (undefined|void 0)\)/g, "if (false)"]],
  rate: [[/if \((strangerMs|retryAfterMs) > 0\)/g, "if (false)"]],
  size: [
    [/> maxBytes\b/g, "> Infinity"],
    // A hook has a limit of its own.
    [/if \(forbidden !== (undefined|void 0)\)/g, "if (false)"],
  ],
  type: [[/types !== (undefined|void 0) && !/g, "false && !"]],
  thrown: [[/refusalOf\?\.\(error, exchange\) \?\? /g, ""]],
  time: [[/requestTimeout: limits\.requestTimeoutMs \?\? [\d_e]+/g, "requestTimeout: 0"]],
  growth: [
    [
      /const body = await readBody\(request, maxBytes, held\);/g,
      "const body = await readBody(request, maxBytes, held); if (Buffer.isBuffer(body)) for (let at = 0; at < body.length; at += 8) body.indexOf('\\0');",
    ],
  ],
  right: [[/answers\.add\(exchange\)/g, "undefined"]],
  content: [[/shown: isShown \? (undefined|void 0) : hideContent/g, "shown: undefined"]],
} as const satisfies Record<string, readonly (readonly [from: RegExp, to: string])[]>;

export type Check = keyof typeof checks;
