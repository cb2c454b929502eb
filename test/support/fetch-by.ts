import type { HttpClient } from "./http-client.ts";

interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** An HttpClient in the shape of `fetch`, for libraries that take one: it trusts the authorities that the client trusts. */
export function fetchBy(http: HttpClient) {
  return async (url: string, { method = "GET", headers = {}, body }: FetchOptions): Promise<Response> => {
    const content = body instanceof URLSearchParams || typeof body === "string" ? { body } : {};
    const response = await http.request(url, { method, headers, ...content });
    const answer = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined && name !== "content-length") answer.set(name, [value].flat().join(", "));
    }
    return new Response(response.body === "" ? null : response.body, { status: response.status, headers: answer });
  };
}
