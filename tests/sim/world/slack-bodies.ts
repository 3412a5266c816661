/** A call as it arrives. */
interface ArrivedCall {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Reads what a client would send. */
export async function readCall({ method = "GET", headers = {}, body = null }: RequestInit): Promise<ArrivedCall> {
  if (typeof body === "string") return { method, headers: new Headers(headers), body: Buffer.from(body) };
  // It gives a form its boundary, and is slow.
  const request = new Request("http://127.0.0.1:1", { method, headers, body });
  return { method, headers: request.headers, body: Buffer.from(await request.arrayBuffer()) };
}

/** Returns the content of an uploaded file, which may be the part of a form. */
export async function contentOf(body: Buffer, headers: Headers): Promise<Buffer> {
  const contentType = headers.get("content-type") ?? "";
  if (!contentType.startsWith("multipart/form-data")) return body;
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  for (const value of form.values()) if (typeof value !== "string") return Buffer.from(await value.arrayBuffer());
  return body;
}
