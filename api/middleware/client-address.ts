import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `::ffff:0:0/96`: IPv4 addresses written as IPv6. */
const MAPPED_BITS = 96;

/**
 * Parses addresses and CIDR ranges, IPv4 and IPv6; IPv4 written as IPv6 becomes IPv4, as addresses do. Throws on anything
 * else, also on the short forms that inet_aton reads (`10.1`).
 */
export function parseRanges(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    const [address = "", length] = text.split("/");
    if (!isIP(address)) throw new RangeError(`${JSON.stringify(text)} is no address and no CIDR range`);
    const parsed = ipaddr.parse(address);
    const [network, bits] = length === undefined ? [parsed, wholeLength(parsed)] : ipaddr.parseCIDR(text);
    if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
      return [network.toIPv4Address(), bits - MAPPED_BITS];
    }
    return [network, bits];
  });
}

function wholeLength(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === "ipv4" ? 32 : 128;
}

/** False for a text that is no address. IPv4 inside IPv6 (`::ffff:1.2.3.4`) counts as IPv4. */
export function inRanges(address: string, ranges: readonly Range[]): boolean {
  // Not ipaddr.js' own idea of an address: it reads 3405803785 as one.
  if (!isIP(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/**
 * Who is calling. X-Forwarded-For is read from the right, and only as far as the hops are ours: what stands further
 * left is whatever the client wrote. A hop that is no address is nobody's, and in no range.
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
    address = withoutPort(hop);
  }
  return address;
}

/** Some proxies write the port too: `203.0.113.9:51044`, `[2001:db8::7]:51044`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}
