/** What package-lock.json says of one installed package. */
export interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * Paths (`node_modules/a/node_modules/b`) of what a project's dependencies lead to, `without` some of its own. npm's own
 * prune keeps optional peers that only development brought: of prisma's client the whole of prisma, 350 MB.
 */
export function reachable(packages: Record<string, LockedPackage>, without: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (path: string, names: string[]) => {
    for (const name of names) {
      const at = resolve(packages, path, name);
      if (at === undefined || found.has(at)) continue;
      found.add(at);
      visit(at, needed(packages[at] ?? {}));
    }
  };
  const root = Object.keys(packages[""]?.dependencies ?? {});
  visit(
    "",
    root.filter((name) => !without.includes(name)),
  );
  return found;
}

function needed({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

/** As Node finds it: in the package's own node_modules, then in each one above. */
function resolve(packages: Record<string, LockedPackage>, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = `${at}${at ? "/" : ""}node_modules/${name}`;
    if (path in packages) return path;
    if (at === "") return undefined;
  }
}
