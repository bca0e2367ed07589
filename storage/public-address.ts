import ipaddr from "ipaddr.js";

/** Networks that are reachable although they are not public, e.g. `10.1.0.0/16` where recordings are on a private host. */
export type Networks = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** Throws RangeError naming the first text that is not a CIDR range. */
export function parseNetworks(ranges: readonly string[]): Networks {
  return ranges.map((range) => {
    try {
      return ipaddr.parseCIDR(range);
    } catch {
      throw new RangeError(`${JSON.stringify(range)} is not a network: write an address and a length, 10.1.0.0/16`);
    }
  });
}

/**
 * True for an address that anybody on the internet may reach: private, loopback, link-local (cloud metadata is one),
 * carrier, multicast, reserved, tunnel and translation ranges are not. An IPv4 address written as IPv6 is judged as
 * what it is.
 */
export function isReachable(address: string, allowed: Networks): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // All of IPv6 that is handed out is in 2000::/3; ipaddr.js calls the rest unicast too, `::127.0.0.1` among it.
  if (parsed.range() === "unicast" && (parsed.kind() === "ipv4" || inGlobalUnicast(parsed))) return true;
  return allowed.some(
    ([network, length]) => network.kind() === parsed.kind() && parsed.match([network, length] as never),
  );
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

function inGlobalUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.match(GLOBAL_UNICAST as never);
}
