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
  if (parsed.range() === "unicast") return true;
  return allowed.some(
    ([network, length]) => network.kind() === parsed.kind() && parsed.match([network, length] as never),
  );
}
