import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

export type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses addresses and CIDR ranges, IPv4 and IPv6. Throws on anything else. */
export function parseRanges(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/** False for a text that is no address. IPv4 inside IPv6 (`::ffff:1.2.3.4`) counts as IPv4. */
export function inRanges(address: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/**
 * Who is calling. X-Forwarded-For is read from the right, and only as far as the hops are ours: what stands further
 * left is whatever the client wrote.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: readonly Range[]): string {
  let address = request.socket.remoteAddress ?? "";
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",");
  const hops = forwarded
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  while (inRanges(address, trustedProxies)) {
    const hop = hops.pop();
    if (hop === undefined) break;
    address = hop;
  }
  return address;
}
