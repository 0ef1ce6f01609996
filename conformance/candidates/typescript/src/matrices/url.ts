import { parseURL, serializeHost } from "whatwg-url";

/**
 * MX-VAL-10a, MX-VAL-10b: HTTPS, or plain HTTP to exactly `localhost`. The host is read by the WHATWG
 * URL rules, so that it is the one that a request would go to. Node's own `URL` passes over the rule
 * for labels of both directions, hence the reference implementation of those rules.
 */
export function isProcessorUrl(text: string): boolean {
  const url = parseURL(text);
  const host = url?.host ?? null;
  if (url === null || host === null) {
    return false;
  }
  return url.scheme === "https" || (url.scheme === "http" && serializeHost(host) === "localhost");
}
