/** Limit of errors per loop. Ajv would describe every invalid item, and a hostile body can have hundreds of thousands. */
export const enoughErrors = 20;

/**
 * Ends each loop of a validator after 20 errors. They are counted from the start of the loop, so that the errors of one branch
 * of a `oneOf` never end another early. Throws when a loop has an unknown form.
 */
export function boundLoops(code: string): string {
  let loops = 0;
  const bounded = code
    .replace(/^for\(let (i\d+)=0; \1<(len\d+); \1\+\+\)\{$/gm, (_, index: string, length: string) => {
      const before = `errorsBefore${loops++}`;
      return `const ${before} = errors;\nfor(let ${index}=0; ${index}<${length} && errors - ${before} < ${enoughErrors}; ${index}++){`;
    })
    .replace(/^for\(const \w+ in \w+\)\{$/gm, (loop) => {
      const before = `errorsBefore${loops++}`;
      return `const ${before} = errors;\n${loop}\nif(errors - ${before} >= ${enoughErrors}) break;`;
    });
  if (loops !== (code.match(/\b(for|while)\s?\(/g) ?? []).length)
    throw new Error("a validator has a loop of an unknown form");
  return bounded;
}
